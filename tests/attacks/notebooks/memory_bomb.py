# Fills the memory from one process.
# %% attack
hoard = []
while True:
    hoard.append(bytearray(b"x") * 100_000_000)
