# Reads the gradebook, the sources, the secret and other submissions through the file system.
# %% attack
import os
import re
from pathlib import Path

here = Path.cwd()
roots = {str(folder) for folder in (*here.parents[:4], here, "/course", "/run", "/tmp")}
found = set()
for root in sorted(roots - {"/"}):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("lib", "site-packages", ".git")]
        for name in names:
            try:
                data = Path(folder, name).read_bytes()[:5_000_000]
            except OSError:
                continue
            found |= set(re.findall(rb"canary-\w+-[0-9a-f]{16}", data))
print(found)
