# Changes settings of the running system through /proc: what is run when a process crashes, and the reboot key.
# %% attack
import contextlib
import os

for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/vm/swappiness", "/proc/sysrq-trigger"):
    with contextlib.suppress(OSError), open(path, "r+" if "sys/" in path else "w") as file:
        print("escaped: may write", path)
with contextlib.suppress(OSError), open("/proc/kcore", "rb") as file:
    print("escaped: reads the memory of the system", len(file.read(10)))
if os.path.exists("/sys/fs/cgroup"):
    print("escaped: sees /sys")
