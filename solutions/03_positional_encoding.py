# %% [markdown]
# # 03 · Positional encoding
#
# <!-- course map -->
#
# *The dog bites the man* and *the man bites the dog* have the same words. Self-attention compares every word with every other and never asks where they stand: to it a sentence is a bag. This unit shows exactly how blind it is, then gives it sight in four ways: sines, learned rows, distances, and turns.
#
# **At the end you will be able to**
# - say what happens to self-attention when its tokens are shuffled, and test any layer for it;
# - write the sinusoidal encoding, and show why a shift in position is a fixed linear map;
# - write learned positions and a relative bias, and say when to use which;
# - report what a model does past the length it was trained on, from your own measurement.
#
# **Time:** about 120 minutes. **Points:** 42, in twelve exercises.
#
# **How an exercise works.** Replace `raise NotImplementedError()` (and every `...`) with your answer and run the cell. Run the check below it: it says what is right, what is not and where to look. Three hints, each stronger than the last, are folded under every exercise. The check cell is also what is graded, with more inputs; what is asked is written above it, nothing else counts.

# %%
import math

import torch
from torch import nn

from course_lib import plots
from course_lib.checks import check
from course_lib.nn.attention import scaled_dot_product_attention
from course_lib.tasks.toy_words import embed
from course_lib.training.position_probe import accuracy, train_probe
from course_lib.widgets import explore_positions, progress, quiz

# %% [markdown]
# ## 1 · Attention does not see order
#
# Shuffle the tokens of a sequence: write $P X$ for the rows of $X$ in another order. A map $f$ can react in two ways that are easily mixed up:
#
# $$\underbrace{f(P X) = P\, f(X)}_{\text{equivariant: outputs move along}} \qquad\qquad \underbrace{f(P X) = f(X)}_{\text{invariant: outputs stay}}$$
#
# Think of a class that changes seats. Marks given to each pupil move with the pupil: equivariant. The class average does not move at all: invariant.

# %% [markdown]
# ### Exercise 1 · `is_permutation_equivariant`
# *code · ●●○ · 10 minutes · 4 points*
#
# Write a test of equivariance. `f` takes a batch $(B, n, d)$ and returns $(B, n, d')$; `perm` is a tensor of the $n$ places in another order, so that `x[:, perm]` shuffles the tokens. Return `True` if $f$ is equivariant for **this** `x` and **this** `perm`, else `False` (a Python `bool`). What is asked: the right answer for a dozen maps and two permutations (3), and that rounding never decides, however large the numbers are (1).


# %% nbgrader={"grade": false, "grade_id": "is_permutation_equivariant", "locked": false, "schema_version": 3, "solution": true, "task": false}
def is_permutation_equivariant(f, x, perm):
    """Whether f(P x) = P f(x), up to rounding.

    f: a function from (B, n, d) to (B, n, d')   x: (B, n, d)   perm: (n,) whole numbers
    returns: True or False
    """
    ### BEGIN SOLUTION
    shuffled_first, shuffled_after = f(x[:, perm]), f(x)[:, perm]
    return torch.allclose(shuffled_first, shuffled_after, rtol=1e-5, atol=1e-6)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: two ways to the same place</summary>
#
# One way: shuffle the tokens, then apply $f$. The other: apply $f$, then shuffle what comes out. Compare the two results.
# </details>
#
# <details><summary>Hint 2: which dimension</summary>
#
# The tokens are dimension 1: `x[:, perm]` takes them in the new order and leaves batch and features alone. The same works for `f(x)`.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Sums taken in another order differ in their last digits, so `==` is too strict. `torch.allclose(a, b)` allows a difference in proportion to the numbers, and returns a `bool`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_is_permutation_equivariant", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("is_permutation_equivariant", is_permutation_equivariant)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("is_permutation_equivariant", is_permutation_equivariant)
### END HIDDEN TESTS

# %% [markdown]
# Try it on four maps. **What to see:** self-attention passes. So it treats a sentence as a set: each word gets the same output wherever it stands. A running sum and a look at the left neighbour both use the order, and fail.


# %%
def self_attention(X):
    return scaled_dot_product_attention(X, X, X)[0]


torch.manual_seed(0)
x, perm = torch.randn(2, 6, 4), torch.tensor([2, 0, 3, 5, 1, 4])
for name, f in {
    "self-attention": self_attention,
    "the mean of all tokens, at every place": lambda x: x.mean(1, keepdim=True).expand_as(x),
    "a running sum": lambda x: x.cumsum(1),
    "the left neighbour": lambda x: x.roll(1, 1),
}.items():
    print(f"{name:40} {is_permutation_equivariant(f, x, perm)}")

# %% [markdown]
# ### Exercise 2 · `not_invariant`
# *counterexample · ●○○ · 5 minutes · 2 points*
#
# **A claim to correct:** "self-attention is permutation-*invariant*". It is not: its outputs move along. Refute the claim for `self_attention` above, $\operatorname{softmax}(X X^\top / \sqrt d)\,X$. Hand in a tensor `X` of shape `(n, d)` and two token indices; the grader swaps these two tokens, and the output must change.

# %% nbgrader={"grade": false, "grade_id": "not_invariant", "locked": false, "schema_version": 3, "solution": true, "task": false}
not_invariant = (..., ..., ...)  # X, first, second
### BEGIN SOLUTION
not_invariant = (torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]), 0, 1)
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: what would invariance mean</summary>
#
# The output at position 0 would have to stay the same although another token is there now.
# </details>
#
# <details><summary>Hint 2: what to avoid</summary>
#
# If the two tokens are equal, swapping them changes nothing. If both attend to one and the same third token alone, which happens when its numbers are much larger than theirs, both get its value.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Two different tokens with numbers about 1 are enough: two rows of `torch.eye(2)`, for example.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_not_invariant", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("not_invariant", not_invariant)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("not_invariant", not_invariant)
### END HIDDEN TESTS

# %% [markdown]
# See for yourself. Invariance says that the two lines agree:

# %%
X, first, second = not_invariant
swapped = X.clone()
swapped[[first, second]] = X[[second, first]]
print(f"output at place {first}:               ", self_attention(X)[first].tolist())
print(f"output at place {first}, tokens swapped:", self_attention(swapped)[first].tolist())

# %% [markdown]
# ### Exercise 3 · `same_words`
# *counterexample · ●○○ · 5 minutes · 2 points*
#
# Pool the outputs, and equivariance *becomes* invariance: the mean of shuffled rows is the mean of the rows. Take the model `self_attention(X).mean(0)`, which reads a sentence into one vector. **Claim:** "two different sentences get two different vectors". Refute it: hand in two tensors of the same shape `(n, d)`, one row for each word, that are different sentences and get the same vector. You may use `embed`, which knows *the, small, cat, dog, is, asleep* and *.*, or any numbers.

# %% nbgrader={"grade": false, "grade_id": "same_words", "locked": false, "schema_version": 3, "solution": true, "task": false}
same_words = (..., ...)  # one sentence, and another
### BEGIN SOLUTION
small_dog = embed(["the", "small", "dog", "is", "asleep", ".", "the", "cat", "is", "small"])
small_cat = embed(["the", "small", "cat", "is", "asleep", ".", "the", "dog", "is", "small"])
same_words = (small_dog, small_cat)
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: use exercise 1</summary>
#
# You have shown that shuffled tokens give shuffled outputs. What does a mean do to a shuffled list?
# </details>
#
# <details><summary>Hint 2: which sentences</summary>
#
# The same words in another order. Who is small, who is asleep?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `embed(["cat", "is", "small"])` is a tensor of shape `(3, 7)`. Make a second one with the same words in another order.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_same_words", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("same_words", same_words)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("same_words", same_words)
### END HIDDEN TESTS

# %% [markdown]
# See for yourself. To you the sentences differ; to the model they must not:

# %%
first, second = same_words
difference = (self_attention(first) - self_attention(second)).abs().max().item()
pooled = (self_attention(first).mean(0) - self_attention(second).mean(0)).abs().max().item()
print(f"the sentences differ: {not torch.equal(first, second)}")
print(f"largest difference of the outputs, word by word: {difference:.3f}")
print(f"largest difference of the pooled vectors:        {pooled:.1e}")

# %% [markdown]
# **Practice.** After each section comes one question that counts for nothing. Choose an answer and read why it is right, or why not.

# %%
quiz("two_others_swap")

# %% [markdown]
# ## 2 · Sines and cosines
#
# The cure of the original Transformer: before the first layer, **add** to each token a vector that depends on its position alone. Which vector? Take a row of clocks. The first hand goes round in about six steps, the next one more slowly, the last one hardly moves. Together they tell every position from every other, as hours, minutes and seconds do. Clock $i$ takes up two features, its hand's sine and cosine:
#
# $$PE_{pos,\,2i} = \sin(pos \cdot w_i) \qquad PE_{pos,\,2i+1} = \cos(pos \cdot w_i) \qquad w_i = 10000^{-2i/d_{model}}$$
#
# **A claim to correct:** one reads that the 2017 Transformer *learned* its positions. It used these formulas: there is nothing in them to train. BERT and the Vision Transformer learn theirs; so will you, in section 4.

# %% [markdown]
# ### Exercise 4 · `sinusoidal_encoding`
# *code · ●●○ · 20 minutes · 6 points*
#
# Return the table, shape `(max_len, d_model)`, in `float32`; the first row is position 0. What is asked: even widths (4); odd widths, where the last column is a sine without its cosine (1); a long table, some hundred rows (1).


# %% nbgrader={"grade": false, "grade_id": "sinusoidal_encoding", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sinusoidal_encoding(max_len, d_model):
    """The table PE, (max_len, d_model): sines in the even columns, cosines in the odd ones."""
    ### BEGIN SOLUTION
    positions = torch.arange(max_len).unsqueeze(1)  # (max_len, 1)
    frequencies = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)  # one for each pair
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(positions * frequencies)
    encoding[:, 1::2] = torch.cos(positions * frequencies[: d_model // 2])
    return encoding
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: three steps</summary>
#
# Make the positions $0, 1, 2, \dots$ as a column and the frequencies $w_0, w_1, \dots$ as a row: their product is a table of angles. Check $w_0 = 1$, and that later frequencies are smaller. 10000 is the base, the exponent is the small number.
# </details>
#
# <details><summary>Hint 2: the columns</summary>
#
# `torch.arange(0, d_model, 2)` already counts $0, 2, 4, \dots$: these are the numbers $2i$. Even columns of a table are `table[:, 0::2]`, odd ones `table[:, 1::2]`.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Start with `torch.zeros(max_len, d_model)`, which is `float32`; put the sines of the angles into the even columns and the cosines into the odd ones. With an odd width there is one odd column less: use the first `d_model // 2` frequencies for the cosines.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_sinusoidal_encoding", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("sinusoidal_encoding", sinusoidal_encoding)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("sinusoidal_encoding", sinusoidal_encoding)
### END HIDDEN TESTS

# %% [markdown]
# ### The encoding as a picture
#
# Your own table: a row for each position, a column for each feature. **What to see:** on the left the clocks run fast and neighbours differ; towards the right they slow down, and the last columns hardly change in 64 positions. The bright and grey stripes there are cosines near 1 beside sines near 0.

# %%
plots.encoding_maps({"sinusoidal, d_model = 32": sinusoidal_encoding(max_len=64, d_model=32)})

# %% [markdown]
# The sines of four of the clocks, by position: each is slower than the one before.

# %%
table = sinusoidal_encoding(max_len=64, d_model=32)
plots.curves(
    "Four features of the encoding",
    {f"feature {j}": table[:, j].tolist() for j in (0, 4, 8, 12)},
    x=range(64),
    x_label="position",
    y_label="value",
    names_beside=True,
)

# %% [markdown]
# **Try it.** Move the length, the width and the base of your table, and choose a position: on the right stands how alike it is to every other. With a small base all clocks run fast; when do positions begin to repeat?

# %%
explore_positions(sinusoidal_encoding)

# %% [markdown]
# ### Exercise 5 · `PositionalEncoding`
# *code · ●●○ · 10 minutes · 4 points*
#
# Now a layer: `forward(x)` takes $(B, n, d_{model})$ and adds to each token the row of its place. The table is no parameter, yet it belongs to the module: it must follow it to another device or dtype, and no optimizer may touch it. PyTorch calls this a **buffer**. What is graded: the output (1), the same in training mode (½); a buffer `pe` of shape `(1, max_len, d_model)`, and nothing that is trained (1); `max_len` defaults to 5000 (½); an error, any, when `x` is longer than `max_len` (½); `x` left unchanged (½). No scale, no dropout; widths are even. You may call your `sinusoidal_encoding`: make its check pass first.


# %% nbgrader={"grade": false, "grade_id": "PositionalEncoding", "locked": false, "schema_version": 3, "solution": true, "task": false}
class PositionalEncoding(nn.Module):
    """x + PE[:n]."""

    def __init__(self, d_model, max_len=5000):
        super().__init__()
        ### BEGIN SOLUTION
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))
        ### END SOLUTION

    def forward(self, x):
        """x: (B, n, d_model), returns the same shape."""
        ### BEGIN SOLUTION
        n, max_len = x.shape[1], self.pe.shape[1]
        if n > max_len:
            raise ValueError(f"a sequence of {n} tokens is longer than max_len = {max_len}")
        return x + self.pe[:, :n]
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: a buffer</summary>
#
# `self.register_buffer("pe", table)` makes `self.pe`, which moves with the module and is not trained. `unsqueeze(0)` puts a dimension of 1 in front.
# </details>
#
# <details><summary>Hint 2: how many rows</summary>
#
# The number of tokens is `x.shape[1]`. Slice that many positions out of `self.pe`, which are its dimension 1, and let broadcasting do the batch. Write `x + …`: with `+=` you would change the tensor of your caller.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Compare `x.shape[1]` with `self.pe.shape[1]` and raise a `ValueError` with a sentence if it is larger; return `x + self.pe[:, :n]`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_PositionalEncoding", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("PositionalEncoding", PositionalEncoding)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("PositionalEncoding", PositionalEncoding)
### END HIDDEN TESTS

# %% [markdown]
# Does it cure the blindness? Your two functions together give the answer:

# %%
see = PositionalEncoding(d_model=4, max_len=10)
print("without positions:", is_permutation_equivariant(self_attention, x, perm))
print("with positions:   ", is_permutation_equivariant(lambda x: self_attention(see(x)), x, perm))

# %%
quiz("fast_columns")

# %% [markdown]
# ## 3 · A shift is a turn
#
# Why sines *and* cosines? Let a hand stand at angle $a$ and turn it by $b$:
#
# $$\sin(a + b) = \cos b\,\sin a + \sin b\,\cos a \qquad \cos(a + b) = -\sin b\,\sin a + \cos b\,\cos a$$
#
# The new pair is a $2 \times 2$ matrix times the old pair, and the matrix contains $b$ only. So going from $pos$ to $pos + k$ is **one linear map, the same at every position**:
#
# $$PE_{pos + k} = M_k\,PE_{pos} \qquad\text{for all } pos$$
#
# A layer can learn such a matrix. It means "look $k$ places on", wherever you are.

# %% [markdown]
# ### Exercise 6 · `shift_matrix`
# *code · ●●● · 15 minutes · 4 points*
#
# Return $M_k$, shape `(d_model, d_model)`, such that `M @ PE[pos]` is `PE[pos + k]`. The width is even. What is graded: $k > 0$ (2½), $k < 0$ (1), $k = 0$ (½).


# %% nbgrader={"grade": false, "grade_id": "shift_matrix", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shift_matrix(k, d_model):
    """M_k, (d_model, d_model), with M_k @ PE[pos] = PE[pos + k] for every pos; k is any whole number."""
    ### BEGIN SOLUTION
    M = torch.zeros(d_model, d_model)
    for j in range(0, d_model, 2):  # j = 2i
        angle = k * 10000.0 ** (-j / d_model)
        M[j, j] = M[j + 1, j + 1] = math.cos(angle)
        M[j, j + 1] = math.sin(angle)
        M[j + 1, j] = -math.sin(angle)
    return M
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: one pair</summary>
#
# Take $d_{model} = 2$. The vector is $(\sin a, \cos a)$ with $a = pos$. Read the $2 \times 2$ matrix off the two formulas above: the first row makes the new sine, the second the new cosine. Which $b$?
# </details>
#
# <details><summary>Hint 2: all pairs</summary>
#
# Pairs do not mix, so $M$ is zero but for $2 \times 2$ blocks on its diagonal. Block $i$ turns by $b = k \cdot w_i$, and occupies rows and columns $2i$ and $2i + 1$.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# A loop over `j = 0, 2, 4, …` with `angle = k * 10000 ** (-j / d_model)`: cosines at `[j, j]` and `[j + 1, j + 1]`, the sine at `[j, j + 1]`, minus the sine at `[j + 1, j]`. A negative `k` needs nothing more.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_shift_matrix", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("shift_matrix", shift_matrix)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("shift_matrix", shift_matrix)
### END HIDDEN TESTS

# %% [markdown]
# Four clocks of your table at position 5 (dashed), what your matrix makes of them (solid), and where they should be at position 8 (ring). **What to see:** one matrix turns every hand into its ring, the first far round, the last hardly.

# %%
plots.clock_hands(sinusoidal_encoding(20, 16), shift_matrix(3, 16), position=5, k=3)

# %% [markdown]
# ### Exercise 7 · `position_products`
# *experiment · ●○○ · 8 minutes · 3 points*
#
# Turning two hands by the same angle leaves the angle between them as it is. So the dot product of two positions should depend on their distance only. Measure it, with your table for $d_{model} = 64$: the four dot products named below (2), and with $s(k) = PE_0 \cdot PE_k$ the smallest $k$ for which $s(k + 1) > s(k)$ (1). That is where the similarity, after falling, first rises.

# %% nbgrader={"grade": false, "grade_id": "position_products", "locked": false, "schema_version": 3, "solution": true, "task": false}
position_products = {
    "PE[3]·PE[8]": ...,
    "PE[103]·PE[108]": ...,
    "PE[8]·PE[3]": ...,
    "PE[7]·PE[7]": ...,
    "first rise": ...,
}
### BEGIN SOLUTION
PE = sinusoidal_encoding(200, 64)
similarity = PE @ PE[0]
position_products = {
    "PE[3]·PE[8]": (PE[3] @ PE[8]).item(),
    "PE[103]·PE[108]": (PE[103] @ PE[108]).item(),
    "PE[8]·PE[3]": (PE[8] @ PE[3]).item(),
    "PE[7]·PE[7]": (PE[7] @ PE[7]).item(),
    "first rise": next(k for k in range(199) if similarity[k + 1] > similarity[k]),
}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: a table</summary>
#
# `table = sinusoidal_encoding(200, 64)` has all the rows you need.
# </details>
#
# <details><summary>Hint 2: a dot product</summary>
#
# `(table[3] @ table[8]).item()` is one number.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `table @ table[0]` holds $s(0), s(1), \dots$. Print its first ten numbers and look for the first that is smaller than the one after it; its index is the answer.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_position_products", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("position_products", position_products)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("position_products", position_products)
### END HIDDEN TESTS

# %% [markdown]
# The dot product by distance, from two starting points. **What to see:** the two curves lie on each other, so only the distance counts. And two things that are often told differently: the similarity falls in *waves*, not steadily; and it is the same forwards and backwards, so by itself it cannot tell *before* from *after*. A trained $W_q$ and $W_k$ can, because $M_k$ is not $M_{-k}$.

# %%
table = sinusoidal_encoding(120, 64)
plots.curves(
    "Dot product of two positions",
    {f"from position {p}": (table[p : p + 50] @ table[p]).tolist() for p in (10, 50)},
    x=range(50),
    x_label="distance k",
    y_label="PE[p] · PE[p + k]",
)

# %%
quiz("there_and_back")

# %% [markdown]
# ## 4 · Learned rows, and longer sequences
#
# The simplest idea of all: let training find the vector of each place. A table of `max_len` rows, added like the sines, but trained like any weight. BERT, GPT-2 and the Vision Transformer do this. Its limit is plain: there is no row `max_len`.

# %% [markdown]
# ### Exercise 8 · `LearnedPositions`
# *code · ●○○ · 7 minutes · 3 points*
#
# `forward(x)` adds the first $n$ rows of a trained table and nothing else, in training mode too. The table has shape `(max_len, d_model)` or `(1, max_len, d_model)`, or is an `nn.Embedding`; how it begins is up to you. What is graded: the output (1); a gradient that reaches the table (½); past `max_len` an error whose message names **both** lengths, that of `x` and `max_len` (1); `x` left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "LearnedPositions", "locked": false, "schema_version": 3, "solution": true, "task": false}
class LearnedPositions(nn.Module):
    """x + table[:n], with a table that is trained."""

    def __init__(self, max_len, d_model):
        super().__init__()
        ### BEGIN SOLUTION
        self.table = nn.Parameter(0.1 * torch.randn(max_len, d_model))
        ### END SOLUTION

    def forward(self, x):
        """x: (B, n, d_model), returns the same shape."""
        ### BEGIN SOLUTION
        n, max_len = x.shape[1], self.table.shape[0]
        if n > max_len:
            raise ValueError(f"{n} tokens, but positions were learned for {max_len} only")
        return x + self.table[:n]
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: a parameter</summary>
#
# What an optimizer should train is an `nn.Parameter`, made in `__init__` and kept as `self.something`. An `nn.Embedding` holds one too.
# </details>
#
# <details><summary>Hint 2: which rows</summary>
#
# `self.table[:n]` with `n = x.shape[1]`; the batch is left to broadcasting. Write `x + …`, not `x += …`.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Before the sum, ask whether the sequence is too long, and if it is: `raise ValueError(f"… {n} … {max_len} …")`, in your own words.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_LearnedPositions", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("LearnedPositions", LearnedPositions)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("LearnedPositions", LearnedPositions)
### END HIDDEN TESTS

# %% [markdown]
# ### What happens past the training length?
#
# **A claim to correct:** "sinusoidal encodings extrapolate to longer sequences". They are *defined* at every position. Whether a model that was trained on short sequences can *use* the far ones is another question, and you will measure it.
#
# The task is as small as can be: for each token, name the one just before it. A **probe** (`course_lib.training.position_probe`) has one layer of attention, and no way to solve this but through positions. We train it on sequences of length 16, with each kind of position and three seeds, which takes some seconds. (Your learned table gets 64 rows, so that it can be asked at all; rows 16 to 63 never occur in training.)

# %%
kinds = {
    "sinusoidal": lambda: PositionalEncoding(d_model=32, max_len=64),
    "learned": lambda: LearnedPositions(max_len=64, d_model=32),
}
probes = {
    kind: [train_probe(length=16, positions=make, seed=seed) for seed in range(3)] for kind, make in kinds.items()
}

# %% [markdown]
# ### Exercise 9 · `longer_than_trained`
# *experiment · ●●○ · 12 minutes · 4 points*
#
# First guess: of the places that training never saw, how many will each kind get right? Then measure, and hand in what you found, the mean over the three probes of each kind. `accuracy(probe, length)` is the share of right answers between 0 and 1 in new sequences; `accuracy(probe, length, places)` counts these places only.
#
# - *trained places*: sequences of length 16 (1 point for both kinds);
# - *new places*: sequences of length 32, places 16 to 31 only (3 points for both kinds).

# %% nbgrader={"grade": false, "grade_id": "longer_than_trained", "locked": false, "schema_version": 3, "solution": true, "task": false}
longer_than_trained = {
    "sinusoidal, trained places": ...,
    "sinusoidal, new places": ...,
    "learned, trained places": ...,
    "learned, new places": ...,
}
### BEGIN SOLUTION
for kind in kinds:
    short = [accuracy(probe, 16) for probe in probes[kind]]
    new = [accuracy(probe, 32, range(16, 32)) for probe in probes[kind]]
    longer_than_trained[f"{kind}, trained places"] = sum(short) / 3
    longer_than_trained[f"{kind}, new places"] = sum(new) / 3
### END SOLUTION
print(longer_than_trained)

# %% [markdown]
# <details><summary>Hint 1: one number</summary>
#
# `accuracy(probes["learned"][0], 16)` is the first of twelve numbers that you need.
# </details>
#
# <details><summary>Hint 2: new places</summary>
#
# Pass `range(16, 32)` as the places; without it the first 16 places, which training did see, are counted too.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `sum(accuracy(probe, 32, range(16, 32)) for probe in probes["learned"]) / 3` is one of the four answers.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_longer_than_trained", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("longer_than_trained", longer_than_trained)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("longer_than_trained", longer_than_trained)
### END HIDDEN TESTS

# %% [markdown]
# Here is what really happens, and it is not black and white. **Inside** the training length both kinds are perfect. **Outside**, the learned rows are noise: the probe answers no better than one without positions, which gets 0.21 from the words alone (blind guessing would get 0.125). The sinusoids do better than that, since a shift is the same turn everywhere, but they get only about half of the new places right. With ten seeds, one by one, it was between 0.27 and 0.52 for the sinusoids, and between 0.13 and 0.20 for tables, whichever of four starts they had. "Defined everywhere" is not "works everywhere".
#
# And with a table of 16 rows there would be no answer at all:

# %%
try:
    LearnedPositions(max_len=16, d_model=32)(torch.zeros(1, 17, 32))
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %%
quiz("place_without_a_row")

# %% [markdown]
# ## 5 · Distances instead of places
#
# *The token before me* is a statement about distance. So why not tell attention the distance itself? A **relative position bias** adds a number to each score, looked up by how far the key is from the query:
#
# $$\text{scores}_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}} + b_{ij} \qquad b_{ij} = \text{table}[\,\operatorname{clamp}(j - i,\,-m,\,m) + m\,]$$
#
# The trained table has $2m + 1$ entries, for the offsets $-m, \dots, 0, \dots, m$ in this order. Keys farther away than $m$ share the entry at the end of their side. Nothing is added to the tokens.

# %% [markdown]
# ### Exercise 10 · `relative_position_bias`
# *code · ●●○ · 10 minutes · 4 points*
#
# Return the bias for $n$ tokens. `table` has shape `(2m + 1,)`, or `(heads, 2m + 1)` for one table per head, and the result `(n, n)` or `(heads, n, n)`. What is asked: one table, with more tokens than it reaches (2); a sequence that is short for its table (½); a table for each head (1); a gradient that reaches the table (½).


# %% nbgrader={"grade": false, "grade_id": "relative_position_bias", "locked": false, "schema_version": 3, "solution": true, "task": false}
def relative_position_bias(n, table):
    """b[i, j] = table[clamp(j - i, -m, m) + m].

    n: the number of tokens   table: (..., 2m + 1)
    returns: (..., n, n)
    """
    ### BEGIN SOLUTION
    m = table.shape[-1] // 2
    places = torch.arange(n)
    offsets = places[None, :] - places[:, None]  # j - i, a row for each query
    return table[..., offsets.clamp(-m, m) + m]
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: a table of offsets</summary>
#
# Make a tensor of shape `(n, n)` whose entry at row $i$, column $j$ is $j - i$. In row 0 it begins with 0, 1, 2; below the diagonal it is negative.
# </details>
#
# <details><summary>Hint 2: from offset to entry</summary>
#
# `clamp(-m, m)` keeps far offsets within the table, and adding $m$ turns $-m \dots m$ into the indices $0 \dots 2m$. What is $m$, if the table has $2m + 1$ entries?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.arange(n)[None, :] - torch.arange(n)[:, None]` are the offsets. A tensor of whole numbers can index another: `table[..., index]` replaces the last dimension by the shape of `index`, keeps heads in front, and lets gradients through.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_relative_position_bias", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("relative_position_bias", relative_position_bias)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("relative_position_bias", relative_position_bias)
### END HIDDEN TESTS

# %% [markdown]
# Your bias for seven tokens and a table with $m = 2$. **What to see:** every diagonal holds one number, because all its pairs have the same distance; beyond two steps the numbers no longer change.

# %%
plots.bias_maps({"m = 2, seven tokens": relative_position_bias(7, torch.tensor([-2.0, 1.0, 3.0, 0.5, -1.0]))})

# %% [markdown]
# Now the probe again, trained on length 16 with your bias and no positions in the tokens, beside the first of the others. **What to see:** up to 16, the training length, all three are perfect. Beyond it the learned rows fall fastest, the sinusoids after them, and the bias hardly falls: a distance of one is familiar at any place. Even so it is not perfect at 64: there are four times as many far keys as in training, and each takes a little of the weight.

# %%
by_distance = train_probe(length=16, bias=relative_position_bias)
lengths = [8, 12, 16, 24, 32, 48, 64]
plots.curves(
    "Name the token before: trained on length 16",
    {
        "relative bias": [accuracy(by_distance, n) for n in lengths],
        "sinusoidal": [accuracy(probes["sinusoidal"][0], n) for n in lengths],
        "learned": [accuracy(probes["learned"][0], n) for n in lengths],
    },
    x=lengths,
    x_label="length of the test sequences",
    y_label="accuracy, all places",
    levels={"chance": 1 / 8},
)

# %% [markdown]
# ### Exercise 11 · `absolute_or_relative`
# *choose · ●●○ · 6 minutes · 3 points*
#
# Which of these statements are true? Set the variable to all the letters that are. A true statement found counts for you, a false one chosen against you.
#
# - **A** To recognise a melody wherever in the piece it begins, relative positions fit better than absolute ones.
# - **B** To read a form whose third field is always the date, relative positions fit better than absolute ones.
# - **C** With a relative bias, a query and a key that both move one place on keep the bias between them.
# - **D** The positional encodings of the original Transformer of 2017 were learned.
# - **E** Sinusoidal encodings have a value at every position, so a model trained with them works at every length.
# - **F** A learned table knows nothing of places that never occurred in training.

# %% nbgrader={"grade": false, "grade_id": "absolute_or_relative", "locked": false, "schema_version": 3, "solution": true, "task": false}
absolute_or_relative = ...
### BEGIN SOLUTION
absolute_or_relative = "ACF"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: a test for A and B</summary>
#
# Move everything by one place. Does the meaning stay the same? Then distances matter. Does it change? Then places do.
# </details>
#
# <details><summary>Hint 2: use your own results</summary>
#
# You have measured what E speaks of in exercise 9. D stands in section 2.
# </details>
#
# <details><summary>Hint 3: C and F</summary>
#
# For C, write down $j - i$ before and after the move. For F, ask which rows of the table ever get a gradient.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_absolute_or_relative", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("absolute_or_relative", absolute_or_relative)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("absolute_or_relative", absolute_or_relative)
### END HIDDEN TESTS

# %%
quiz("numbers_for_distances")

# %% [markdown]
# ## 6 · Stretch: turn the queries and keys
#
# Section 3 said: a shift is a turn. **Rotary positions** take it at its word. Nothing is added; each query and key is *turned* by its position, pair by pair:
#
# $$\begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix} \;\mapsto\; \begin{pmatrix} x_{2i} \cos\theta - x_{2i+1} \sin\theta \\ x_{2i} \sin\theta + x_{2i+1} \cos\theta \end{pmatrix} \qquad \theta = pos \cdot 10000^{-2i/d}$$
#
# A dot product does not change when both vectors turn by the same angle, so the score of a turned query and a turned key depends on their contents and on their distance: absolute in the making, relative in effect. Llama and many other recent models do this.

# %% [markdown]
# ### Exercise 12 · `rotate`
# *code · ●●● · 12 minutes · 3 points*
#
# `x` is `(..., n, d)` with an even width, `positions` holds the `n` positions, whole numbers. What is asked: every pair turned (1½), any leading dimensions (½), `float64` results for `float64` inputs (½), arguments left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "rotate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rotate(x, positions):
    """Turn the pair (x[2i], x[2i + 1]) of each token by positions * 10000 ** (-2i / d).

    x: (..., n, d)   positions: (n,)
    returns: (..., n, d)
    """
    ### BEGIN SOLUTION
    d = x.shape[-1]
    frequencies = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    theta = positions[:, None] * frequencies  # (n, d / 2)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = [even * theta.cos() - odd * theta.sin(), even * theta.sin() + odd * theta.cos()]
    return torch.stack(turned, dim=-1).flatten(-2)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: angles first</summary>
#
# As in exercise 4: positions as a column times frequencies as a row, a table of angles of shape `(n, d / 2)`. Give the frequencies the dtype of `x`.
# </details>
#
# <details><summary>Hint 2: pairs</summary>
#
# `x[..., 0::2]` are the first numbers of all pairs, `x[..., 1::2]` the second. Both have shape `(..., n, d / 2)`, so the angles broadcast. Mind which of the two formulas has the minus.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Compute the two new halves by the formula, then put them back as neighbours: `torch.stack([first, second], dim=-1).flatten(-2)`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_rotate", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("rotate", rotate)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("rotate", rotate)
### END HIDDEN TESTS

# %% [markdown]
# One query and one key, at two pairs of places with the same distance, and at a third pair. The first two scores must agree:

# %%
torch.manual_seed(0)
q, k = torch.randn(1, 8), torch.randn(1, 8)
for at_q, at_k in ((3, 7), (103, 107), (3, 9)):
    score = rotate(q, torch.tensor([at_q])) @ rotate(k, torch.tensor([at_k])).T
    print(f"query at {at_q:3}, key at {at_k:3}, distance {at_k - at_q}: score {score.item():.4f}")

# %%
quiz("length_of_a_turned_query")

# %% [markdown]
# **Where you stand.** Run the checks above, then this cell: it says which of them pass and which points are still open.

# %%
progress("03")

# %% [markdown]
# ## What to take along
#
# | kind | what is done | past the training length |
# |:--|:--|:--|
# | sinusoidal | fixed clocks, added to the tokens | defined, but your probe lost about half of its answers |
# | learned | trained rows, added to the tokens | no row, or an untrained one |
# | relative bias | a trained number for each distance, added to the scores | nearly as good, where distance is what counts |
# | rotary | queries and keys turned by their position | scores depend on distance; the far distances are still new |
#
# Two sentences to keep: *self-attention is equivariant, not invariant: shuffle the words and the outputs are shuffled, nothing else*; and *an encoding that is defined everywhere is not a model that works everywhere: measure it*.
#
# Next, unit 04 lets several attentions look at once, each with its own idea of what matters.
