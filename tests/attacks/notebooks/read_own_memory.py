# Searches all of its own memory for anything of the class or the exams that its process may have inherited.
# %% attack
import contextlib
import re

found = set()
# where an ordinary user grades, it may not even be opened
with contextlib.suppress(PermissionError), open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        begin, end = (int(part, 16) for part in line.split()[0].split("-"))
        if "rw" in line.split()[1] and end - begin < 2**28:
            try:
                memory.seek(begin)
                found |= set(re.findall(rb"canary-\w+-[0-9a-f]{16}|_flawed[_]columns", memory.read(end - begin)))
            except (OSError, ValueError, OverflowError):
                pass
print(found)
