# Returns an object that runs for ever when it is thrown away, and one that does when it is looked at.
# %% attack
class Endless:
    def __del__(self):
        while True:
            pass


def endless(self, *arguments):
    while True:
        pass


# %% attack answer gram_attention
def gram_attention(X):
    Endless()
    return X
