# Raises exceptions whose text raises, never ends in sight, or holds codes for the instructor's terminal.
# %% attack
class Silent(Exception):
    def __str__(self):
        raise SystemExit("no text")


class Long(Exception):
    def __str__(self):
        return "x" * 2_000_000


class Terminal(Exception):
    def __str__(self):
        return "\x1b]0;title\x07\x1b[2J[red]\ud800"


def raises(error):
    def answer(*arguments):
        raise error

    return answer


# %% attack answer gram_attention
gram_attention = raises(Silent())
# %% attack answer attention_matrix
attention_matrix = raises(Long())
# %% attack answer column_attention
column_attention = raises(Terminal())
# %% attack answer cross_attention
raise Terminal()
