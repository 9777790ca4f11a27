# Kills the process that started it.
# %% attack
import os
import signal

os.kill(os.getppid(), signal.SIGKILL)
os.kill(os.getppid(), signal.SIGTERM)
