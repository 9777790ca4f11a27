# Prints without end.
# %% attack
while True:
    print("x" * 100_000)
