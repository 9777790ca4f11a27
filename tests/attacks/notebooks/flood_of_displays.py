# Shows fifty thousand displays and updates them.
# %% attack
from IPython.display import HTML, display

for number in range(50_000):
    display(HTML(f"<b>{number}</b>"), display_id="one")
