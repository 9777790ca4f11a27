# Returns objects whose representation, length and iteration run for ever.
# %% attack
class Endless(dict):
    def __repr__(self, *arguments):
        while True:
            pass

    __iter__ = __len__ = __str__ = __getattr__ = keys = __repr__


# %% attack answer gram_attention
gram_attention = lambda X: Endless()
# %% honest gram_attention
gram_attention = lambda X: {}
