# Stops its own process with SIGSTOP and waits to be continued.
# %% attack
import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
