# Sends replies to the examiner's next requests before it makes them, with numbers it can foretell.
# %% attack
import gc

from sandbox.protocol.channel import DONE, REPLY
from sandbox.inside.main_loop import MainLoop
from sandbox.protocol.encode import pack

main_loop = next(thing for thing in gc.get_objects() if isinstance(thing, MainLoop))
frames = pack({"value": (True, True), "score": 40, "share": 1.0}, lambda value: None)
for following in range(main_loop._number + 1, main_loop._number + 80):
    main_loop._channel.send(REPLY, following, frames)
    main_loop._channel.send(DONE, following)
