# Leaves processes behind: by a double fork, a session of their own, and nohup.
# %% attack
import os
import subprocess
import sys

waits = [sys.executable, "-c", "import time; time.sleep(900)", "left-by-an-attack"]
subprocess.Popen(waits, start_new_session=True)
subprocess.Popen(["nohup", *waits], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, waits)
    os._exit(0)
