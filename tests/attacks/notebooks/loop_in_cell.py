# Runs for ever with every signal blocked and KeyboardInterrupt swallowed.
# %% attack
import signal

signal.pthread_sigmask(signal.SIG_BLOCK, set(range(1, 65)))
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
