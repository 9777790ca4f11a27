# Fills every place it can write to, and counts what it got.
# %% attack
import contextlib
import os

chunk, written = b"x" * 2**20, {}
for folder in ("/tmp", "/var/tmp", os.path.expanduser("~"), "/home/student", "/run/sockets", "/dev/shm", "/course", "/"):
    with contextlib.suppress(OSError):
        for number in range(100):
            with open(f"{folder}/left-by-an-attack-{number}", "wb") as file:
                for _ in range(60):
                    written[folder] = written.get(folder, 0) + file.write(chunk)
print({folder: size // 2**20 for folder, size in written.items()})
