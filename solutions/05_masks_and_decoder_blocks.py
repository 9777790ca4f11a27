# %% [markdown]
# # 05 · Masks and decoder blocks
#
# <!-- course map -->
#
# A model that writes one word after another must not read ahead: at the exam the next word is not there. In training it is, lying in plain sight in the same tensor. A **mask** hides it. Masks are a few lines of code, and most of their bugs raise no error: shapes fit, losses fall, and the model is wrong. In this unit you write the masks, learn to hunt such bugs with a test of your own, and then put everything you have built so far into the two **blocks** that a Transformer is stacked from.
#
# **At the end you will be able to**
# - hide the future, the padding and the distant past, and say which mask goes where;
# - write a masked softmax that survives a row in which everything is blocked;
# - test any model for causality, and repair one that looks into the future;
# - write layer normalisation, the feed-forward network, and the encoder and decoder block;
# - follow every shape through a decoder block;
# - say what residual connections do for the gradient, and what they do not.
#
# **Time:** about 120 minutes. **Points:** 45, in sixteen exercises.
#
# From earlier units you know `scaled_dot_product_attention(q, k, v, mask=None)` and `MultiHeadAttention(d_model, num_heads)`; both return `(output, weights)`, and here they are ready to use. One convention holds in the whole course: in a mask, **True means blocked**.

# %%
import math

import torch
import torch.nn.functional as F
from torch import nn

from course_lib import plots
from course_lib.checks import check
from course_lib.nn.attention import scaled_dot_product_attention
from course_lib.nn.multihead import MultiHeadAttention, load_from_torch
from course_lib.widgets import explore_masks, progress, quiz, shape_form

# %% [markdown]
# ## 1 · Hide the future
#
# Self-attention compares every token with every other. For a model that writes, key $j$ must be hidden from query $i$ whenever $j$ comes later:
#
# $$\text{blocked}[i, j] \;=\; (j > i)$$
#
# A token may see itself and everything before it. The mask has two more dimensions in front, of size 1, so that it broadcasts to scores of shape `(B, heads, n_q, n_k)`.

# %% [markdown]
# ### Exercise 1 · `create_look_ahead_mask`
# *code · ●○○ · 5 minutes · 2 points*
#
# What is asked: a boolean mask of shape `(1, 1, size, size)` that blocks the future and nothing else (1½), also for a single token (½).


# %% nbgrader={"grade": false, "grade_id": "create_look_ahead_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_look_ahead_mask(size):
    """True where key j comes after query i: a bool tensor of shape (1, 1, size, size)."""
    ### BEGIN SOLUTION
    everything = torch.ones(1, 1, size, size, dtype=torch.bool)
    return everything.triu(diagonal=1)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: which cells</summary>
#
# Draw the mask for three tokens. Rows are queries $i$, columns are keys $j$. Row 0 may see column 0 only, so its columns 1 and 2 are True. Which cells of row 1, and of row 2?
# </details>
#
# <details><summary>Hint 2: a triangle</summary>
#
# The cells with $j > i$ lie above the diagonal. `torch.triu` keeps an upper triangle, and its argument `diagonal` says where it begins: 0 is the diagonal itself.
# </details>
#
# <details><summary>Hint 3: dtype and shape</summary>
#
# `torch.ones(…, dtype=torch.bool)` is True everywhere; `.bool()` turns numbers into True and False. Give it four dimensions from the start, or add two with `[None, None]`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_create_look_ahead_mask", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("create_look_ahead_mask", create_look_ahead_mask)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("create_look_ahead_mask", create_look_ahead_mask)
### END HIDDEN TESTS

# %% [markdown]
# ### The mask, growing step by step
#
# While a model writes, its sequence grows by one token at a time, and so does the mask. Hatched cells are blocked, dots are open. **What to see:** each mask contains the one before it, in its upper left corner. A new token adds a row, with which it sees everything so far, and a column that is blocked for all others. So what was computed for earlier tokens stays true.

# %%
plots.mask_maps({f"{n} token{'s' * (n > 1)}": create_look_ahead_mask(n) for n in range(1, 6)})

# %% [markdown]
# **Does a token see itself, then?** One often reads that position $i$ sees only positions *before* $i$. Through the mask it sees $0 \dots i$, itself included. What keeps it from seeing its own answer is that the decoder's **input is shifted**: it begins with a start token, so that input $i$ is target $i-1$. **What to see:** the row that must produce *sat* sees `<sos> the cat`, and not *sat*. Block the diagonal as well, and the first row would see nothing at all.

# %%
plots.mask_maps(
    {"shifted input": create_look_ahead_mask(4)},
    queries=["→ the", "→ cat", "→ sat", "→ down"],
    keys=["<sos>", "the", "cat", "sat"],
)

# %% [markdown]
# **Practice.** After each section comes one question that counts for nothing. Choose an answer and read why it is right, or why not.

# %%
quiz("the_first_token")

# %% [markdown]
# ## 2 · Hide the padding
#
# Sentences of a batch have different lengths; short ones are filled up with a padding token. Nobody should look at it:
#
# $$\text{blocked}[b, j] \;=\; (\text{tokens}[b, j] = \text{pad})$$
#
# It depends on the sentence $b$ and the key $j$, not on the head and not on the query, so its shape is `(B, 1, 1, n)`. Padding is blocked **as a key**: that is all it takes to keep it out of every average. The rows of padding tokens themselves compute something that nobody reads.

# %% [markdown]
# ### Exercise 2 · `create_padding_mask`
# *code · ●○○ · 5 minutes · 2 points*
#
# What is asked: True where a key is padding (1), for any `pad_id` (½), with the tokens left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "create_padding_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_padding_mask(tokens, pad_id):
    """True where a token is padding: tokens (B, n) of whole numbers give a bool mask (B, 1, 1, n)."""
    ### BEGIN SOLUTION
    is_padding = tokens == pad_id
    return is_padding[:, None, None, :]
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: compare</summary>
#
# `tokens == 3` compares every token with 3 and gives a tensor of True and False. Compare with `pad_id`, since padding is not 0 everywhere.
# </details>
#
# <details><summary>Hint 2: who is blocked</summary>
#
# The last dimension of a mask stands for keys, the one before it for queries. Padding is blocked as a key, for every query.
# </details>
#
# <details><summary>Hint 3: two more dimensions</summary>
#
# From `(B, n)` to `(B, 1, 1, n)`: indexing with `None`, or `unsqueeze(1)` twice, puts a dimension of size 1 in.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_create_padding_mask", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("create_padding_mask", create_padding_mask)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("create_padding_mask", create_padding_mask)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 3 · `combine_masks`
# *code · ●○○ · 5 minutes · 2 points*
#
# A key may be in the future, or padding, or both; one reason is enough. Write a function of any number of masks:
#
# $$\text{blocked} \;=\; \text{mask}_1 \lor \text{mask}_2 \lor \dots$$
#
# What is asked: blocked where any of the masks blocks, with shapes that broadcast (1); entries that are `None` are left out (½); if no mask is left, the answer is `None` (½).


# %% nbgrader={"grade": false, "grade_id": "combine_masks", "locked": false, "schema_version": 3, "solution": true, "task": false}
def combine_masks(*masks):
    """Blocked where any mask blocks; None entries are left out, and nothing at all gives None."""
    ### BEGIN SOLUTION
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined | mask
    return combined
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: or</summary>
#
# For boolean tensors `a | b` is *or*, `a & b` is *and*. Both broadcast: `(1, 1, n, n)` with `(B, 1, 1, n)` gives `(B, 1, n, n)`.
# </details>
#
# <details><summary>Hint 2: any number</summary>
#
# Inside the function, `masks` is a tuple. Go through it, and keep what you have so far.
# </details>
#
# <details><summary>Hint 3: None</summary>
#
# Begin with nothing, which is None. A mask that is None is skipped; the first real one is taken as it is, the others are combined with it.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_combine_masks", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("combine_masks", combine_masks)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("combine_masks", combine_masks)
### END HIDDEN TESTS

# %% [markdown]
# Both masks of a small batch, and yours combined. **What to see:** the second sentence ends with two tokens of padding, so in its mask the last two columns are blocked for every query; the combined mask blocks them *and* the future.

# %%
tokens = torch.tensor([[5, 8, 2, 9, 4], [7, 3, 6, 0, 0]])
padding = create_padding_mask(tokens, pad_id=0)
look_ahead = create_look_ahead_mask(5)
both = combine_masks(look_ahead, padding)
plots.mask_maps({"look-ahead": look_ahead, "padding, sentence 1": padding[1].expand(1, 5, 5), "combined": both[1]})

# %% [markdown]
# **Beware of the other convention.** PyTorch has both. In `nn.MultiheadAttention` a True blocks, as here; in `F.scaled_dot_product_attention` a True means *may look*. Hand a mask from one to the other, and it runs without a word and attends to exactly the wrong tokens. **What to see:** the two differences below.

# %%
torch.manual_seed(0)
x = torch.randn(1, 5, 8)
ours, _ = scaled_dot_product_attention(x, x, x, create_look_ahead_mask(5)[0])
same_mask = F.scaled_dot_product_attention(x, x, x, attn_mask=create_look_ahead_mask(5)[0])
turned = F.scaled_dot_product_attention(x, x, x, attn_mask=~create_look_ahead_mask(5)[0])
print(f"our mask handed over as it is: outputs differ by up to {(ours - same_mask).abs().max():.1e}")
print(f"our mask turned around with ~: outputs differ by up to {(ours - turned).abs().max():.1e}")

# %% [markdown]
# ### Exercise 4 · `where_masks_go`
# *choose · ●●○ · 5 minutes · 3 points*
#
# An encoder reads a source sentence; a decoder writes a target sentence and looks at the source through cross-attention. Which statements are true? Set the variable to all the letters that are.
#
# - **A** Cross-attention is causal: target position $i$ may look at source positions $0 \dots i$ only.
# - **B** In the decoder's self-attention a key is blocked if it is in the future or if it is padding.
# - **C** In cross-attention the padding mask is made from the *source* tokens.
# - **D** The mask acts on the scores, before the softmax.
# - **E** Setting weights to zero after the softmax does the same, because a blocked key has weight 0 either way.
# - **F** The encoder needs a look-ahead mask, at least during training.
# - **G** With shifted inputs, decoder position $i$ must not see input $i$, or it would see its own answer.
# - **H** In cross-attention a target token gets all its information from the one source word it is aligned with.

# %% nbgrader={"grade": false, "grade_id": "where_masks_go", "locked": false, "schema_version": 3, "solution": true, "task": false}
where_masks_go = ...
### BEGIN SOLUTION
where_masks_go = "BCD"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: what is known when</summary>
#
# While the decoder writes word 3, which source words exist already, and which target words?
# </details>
#
# <details><summary>Hint 2: keys</summary>
#
# A mask blocks keys. Ask of each attention: from which sequence do its keys come?
# </details>
#
# <details><summary>Hint 3: try it</summary>
#
# For E, take scores `[0, 0, 5]`, block the last, and compute both ways on paper. For G, look again at the picture with `<sos>`. For H: can a softmax give a weight of exactly 0 to a key that is not blocked?
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_where_masks_go", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("where_masks_go", where_masks_go)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("where_masks_go", where_masks_go)
### END HIDDEN TESTS

# %%
quiz("what_padding_computes")

# %% [markdown]
# ## 3 · Hide the distant past
#
# Live captions: speech comes in without end, a hundred frames a second, and words must appear at once. Two limits follow. The future is not there yet. And the past grows for ever: with full attention frame $n$ costs $n$ comparisons, and its keys and values must all be kept. So let each frame look back a fixed number of frames:
#
# $$\text{blocked}[i, j] \;=\; (j > i) \,\lor\, (j < i - \text{lookback})$$
#
# Now every frame costs the same. What is lost is not quite as bad as it looks: in a stack of $L$ such layers information still travels $L \cdot \text{lookback}$ frames.

# %% [markdown]
# ### Exercise 5 · `streaming_mask`
# *code · ●●○ · 5 minutes · 2 points*
#
# What is asked: a bool mask of shape `(n, n)`, in which a token sees itself and the `lookback` tokens before it (1); `lookback = 0`, itself alone (½); a `lookback` longer than the sequence (½). Leading dimensions of size 1, such as `(1, 1, n, n)`, are fine.


# %% nbgrader={"grade": false, "grade_id": "streaming_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def streaming_mask(n, lookback):
    """True where key j is in the future of query i, or more than `lookback` places before it."""
    ### BEGIN SOLUTION
    query = torch.arange(n)[:, None]
    key = torch.arange(n)[None, :]
    blocked = (key > query) | (key < query - lookback)
    return blocked[None, None]
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: two reasons</summary>
#
# It is the look-ahead mask with one more reason to be blocked: too long ago. With lookback 2, query 5 sees keys 3, 4 and 5.
# </details>
#
# <details><summary>Hint 2: positions as tensors</summary>
#
# Let `i = torch.arange(n)[:, None]`, a column, and `j = torch.arange(n)[None, :]`, a row. Then a comparison such as `j > i` is an `(n, n)` tensor of True and False.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Write the two parentheses of the formula as comparisons of `j` and `i`, join them with `|`, and add the two dimensions in front.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_streaming_mask", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("streaming_mask", streaming_mask)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("streaming_mask", streaming_mask)
### END HIDDEN TESTS

# %% [markdown]
# **What to see:** a band of constant width along the diagonal. With lookback 0 only the diagonal is left, and with a long lookback it is the look-ahead mask again.

# %%
plots.mask_maps({f"lookback {back}": streaming_mask(8, back) for back in (0, 2, 7)})

# %% [markdown]
# **Try it.** Your four functions together, for one sentence. Switch masks on and off, add padding, shorten the lookback, and watch where the weights go. Can you make a row in which nothing is open?

# %%
explore_masks(create_look_ahead_mask, create_padding_mask, combine_masks, streaming_mask)

# %%
quiz("three_short_looks")

# %% [markdown]
# ## 4 · When everything is blocked
#
# How is a key blocked? Its score is replaced by something very low before the softmax, usually $-\infty$ or $-10^9$. For a row with at least one open key both do. But a row may have none: the keys of a sentence that is all padding, for example. What do the two usual ways make of it?

# %%
scores = torch.tensor([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
mask = torch.tensor([[False, False, True], [True, True, True]])  # the second row is fully blocked
print("filled with -inf:", scores.masked_fill(mask, -torch.inf).softmax(-1).tolist())
print("filled with -1e9:", scores.masked_fill(mask, -1e9).softmax(-1).tolist())
try:
    scores.half().masked_fill(mask, -1e9)
except RuntimeError as error:
    print("in half precision:", error)

# %% [markdown]
# **What to see:** in the second row, $-\infty$ gives `nan`, which spreads to everything it touches. $-10^9$ gives ⅓ everywhere: equally low scores are equal scores, so the query takes the average of precisely the keys it must not see. "Adding −1e9 blocks a position" is true only while something else is open. And in half precision, where the largest number is 65504, $-10^9$ does not even exist.
#
# What we want is weights of 0: who may look nowhere brings nothing home.
#
# $$w_j \;=\; \frac{\text{open}_j \; e^{s_j}}{\sum_k \text{open}_k \; e^{s_k}}, \qquad \text{and } 0 \text{ if nothing is open}$$

# %% [markdown]
# ### Exercise 6 · `safe_masked_softmax`
# *code · ●●○ · 10 minutes · 4 points*
#
# A softmax over the last dimension that can never give `nan`. What is asked: open keys share the weight (1); a fully blocked row gives zeros (1); even then the gradient is finite (1); scores up to ±1000 and a mask that broadcasts (½); no mask at all (½).


# %% nbgrader={"grade": false, "grade_id": "safe_masked_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def safe_masked_softmax(scores, mask=None):
    """softmax over the open keys of the last dimension; a row with no open key gives zeros."""
    ### BEGIN SOLUTION
    blocked = torch.zeros_like(scores, dtype=torch.bool) if mask is None else mask
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(blocked, lowest).softmax(dim=-1)
    return weights.masked_fill(blocked, 0.0)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: before, not after</summary>
#
# Blocked scores must be low *before* the softmax, so that they do not count in the denominator. And avoid a row that is $-\infty$ throughout, which is 0/0.
# </details>
#
# <details><summary>Hint 2: twice</summary>
#
# With a large negative number, a finite one, a blocked row becomes uniform, not `nan`. What can you do to its weights *after* the softmax that does no harm to ordinary rows, whose blocked weights are 0 already? Mending a `nan` afterwards is the harder way: the gradient may go back through the 0/0.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `masked_fill` twice: into the scores, with `-1e9` or better `torch.finfo(scores.dtype).min`, the lowest number there is in any precision; then into the weights, with 0. Begin with the case that `mask` is `None`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_safe_masked_softmax", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("safe_masked_softmax", safe_masked_softmax)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("safe_masked_softmax", safe_masked_softmax)
### END HIDDEN TESTS

# %%
print(safe_masked_softmax(scores, mask).tolist())
print(safe_masked_softmax(scores.half(), mask).tolist())

# %%
quiz("mended_nan")

# %% [markdown]
# ## 5 · A bug hunt
#
# Below are three attentions that somebody wrote for a model that writes text. All three run, all three give sensible shapes, two of three maps look right at a glance. **All three are wrong.** Do not look for long; we want an instrument.


# %%
def patient_a(x):
    n, d = x.shape[-2:]
    weights = (x @ x.mT / d**0.5).softmax(-1)
    weights = weights.masked_fill(torch.ones(n, n).triu(1).bool(), 0.0)
    return weights @ x, weights


def patient_b(x):
    n, d = x.shape[-2:]
    may_see = torch.ones(n, n).tril().bool()
    weights = (x @ x.mT / d**0.5).masked_fill(may_see, -1e9).softmax(-1)
    return weights @ x, weights


def patient_c(x):
    n, d = x.shape[-2:]
    hidden = torch.ones(n, n).triu(2).bool()
    weights = (x @ x.mT / d**0.5).masked_fill(hidden, -1e9).softmax(-1)
    return weights @ x, weights


sample = torch.randn(1, 5, 4, generator=torch.Generator().manual_seed(1))
plots.attention_maps({f"patient {p.__name__[-1].upper()}": p(sample)[1][0] for p in (patient_a, patient_b, patient_c)})

# %% [markdown]
# A picture can deceive, a number less so. Forget the inside; ask what **causal** means from the outside. If token $j$ of the input changes, then
#
# $$\text{output}_i \;\text{ stays as it is for all } i < j, \qquad \text{output}_i \;\text{ changes for all } i \ge j.$$
#
# The first half says that nothing leaks from the future. The second says that nothing of the past, and not the token itself, has been lost.

# %% [markdown]
# ### Exercise 7 · `causality_test`
# *bug hunt · ●●● · 15 minutes · 4 points*
#
# Write a test. It is given a `model`, a function from `(B, n, d)` to `(B, n, d)`, for any sizes you like. It raises an `AssertionError` (or returns `False`) if the model is not causal, and passes (returns nothing, or `True`) if it is.
#
# The grader tries your test on **correct models** of several kinds, where an alarm costs everything, and on **models with planted bugs**; the points go by the share that you catch. Some bugs are subtle: they show for some tokens only, for some sequences of the batch only, or in the output only. A model is a black box: it gives numbers, and no gradient. Rounding may differ in the last digits.
#
# What is asked: no false alarm (1), bugs caught (3).


# %% nbgrader={"grade": false, "grade_id": "causality_test", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causality_test(model):
    """Raise an AssertionError unless output i depends on tokens 0 … i, each of them, and on no other."""
    ### BEGIN SOLUTION
    x = torch.randn(3, 6, 4)
    before = model(x)
    for j in range(6):
        changed = x.clone()
        changed[:, j] = torch.randn(3, 4)
        moved = (model(changed) - before).abs().amax(dim=-1) > 1e-4
        assert not moved[:, :j].any(), f"outputs before token {j} change with it"
        assert moved[:, j:].all(), f"an output from token {j} on does not change with it"
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: the experiment</summary>
#
# Make random tokens `x`, ask for `model(x)`. Change one token in a copy (`x.clone()`), ask again, and compare. Compare with a tolerance: a difference of 1e-7 is rounding, one of 1e-2 is not. Ordinary random numbers will do; `nan` or infinity would break correct models too.
# </details>
#
# <details><summary>Hint 2: every token, every output</summary>
#
# Do it for each token `j` in turn. Outputs before `j` must be the same: `[:, :j]`. Change all sequences of the batch at once, and look at all of them.
# </details>
#
# <details><summary>Hint 3: the other half</summary>
#
# Outputs from `j` on must differ, each of them, in every sequence: for example `(after - before).abs().amax(-1) > 1e-4` is True or False for each sequence and token; use `.any()` for one half and `.all()` for the other. Take at least two sequences, five tokens and three features.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_causality_test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("causality_test", causality_test)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("causality_test", causality_test)
### END HIDDEN TESTS

# %% [markdown]
# Now let your instrument judge the patients, and one healthy attention. **What to see:** three alarms and one pass.


# %%
def healthy(x):
    return scaled_dot_product_attention(x, x, x, create_look_ahead_mask(x.shape[1])[0])


for attention in (patient_a, patient_b, patient_c, healthy):
    try:
        alarm = causality_test(lambda x, attention=attention: attention(x)[0]) is False
        words = "alarm" if alarm else "passes"
    except AssertionError as error:
        words = f"alarm: {error}"
    print(f"{attention.__name__:10} {words}")

# %% [markdown]
# **Patient A** is the sly one. Its map is a perfect triangle, and yet the future leaks: before the mask, the softmax divided by a sum over *all* keys. Change a later token, and that sum changes, and with it every weight that is left. Its rows do not sum to 1, which is how you can recognise it. (Dividing each row by its sum again would heal it.) **Patient B** has the sense of the mask turned around, **patient C** lets every token see the next one. With shifted inputs the next token is the very word to be predicted, so a model with C's bug need only copy, and learns nothing else.

# %% [markdown]
# ### Exercise 8 · `causal_attention`
# *bug hunt · ●●○ · 10 minutes · 3 points*
#
# This one has all three illnesses at once:
#
# ```python
# def broken_attention(q, k, v):
#     n = q.shape[-2]
#     may_look = torch.ones(n, n).tril(diagonal=1).bool()
#     scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#     weights = scores.softmax(dim=-1)
#     weights = weights.masked_fill(may_look, 0.0)
#     return weights @ v, weights
# ```
#
# Write it as it should be. What is asked: output and weights, `(…, n, d_v)` and `(…, n, n)` (2), with other leading dimensions (¼) or none (¼), with gradients that reach q, k and v (½). The mask of exercise 1 has four dimensions: `mask[0, 0]` fits any scores. You may repair the code above or write your own.


# %% nbgrader={"grade": false, "grade_id": "causal_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_attention(q, k, v):
    """Self-attention in which no token sees the future; returns (output, weights)."""
    ### BEGIN SOLUTION
    future = create_look_ahead_mask(q.shape[-2])[0, 0]
    return scaled_dot_product_attention(q, k, v, future)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: the order of things</summary>
#
# Blocked scores must be very low *before* the softmax. In which line does the mask come, and what does it replace by what?
# </details>
#
# <details><summary>Hint 2: two more</summary>
#
# `may_look` is True where a query may look, and `masked_fill` replaces where it is True. Does that fit together? And which keys does row 0 of `.tril(diagonal=1)` let through?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Keep the line of the scores, scale included. Then `scores.masked_fill(…, float('-inf'))` with a mask that is True for the future only, then the softmax, then the values.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_causal_attention", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("causal_attention", causal_attention)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("causal_attention", causal_attention)
### END HIDDEN TESTS

# %% [markdown]
# **What to see:** a triangle again, and this time every row sums to 1: the weight that the future had has been shared out among the past, and the first token gives all of it to itself.

# %%
_, weights = causal_attention(sample, sample, sample)
plots.attention_maps({"patient A": patient_a(sample)[1][0], "repaired": weights[0]})

# %%
quiz("a_short_row")

# %% [markdown]
# ## 6 · Layer normalisation
#
# From here on we collect the parts of a block. Deep stacks like their numbers neither too large nor too small. **Layer normalisation** takes each token by itself, and gives its $d$ features mean 0 and variance 1; then a learned gain and shift, one for each feature, may change that again:
#
# $$\operatorname{LayerNorm}(x) \;=\; g \odot \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + s, \qquad \mu = \frac1d \sum_f x_f, \qquad \sigma^2 = \frac1d \sum_f (x_f - \mu)^2$$
#
# Mean and variance are over the **last** dimension: no other token, and no other sentence, plays a part.

# %% [markdown]
# ### Exercise 9 · `LayerNorm`
# *code · ●●○ · 10 minutes · 3 points*
#
# What is asked: each token normalised, then scaled and shifted (1); a new module has gain 1 and shift 0, both `nn.Parameter`s of shape `(d,)` (½); ε is added under the root (¼) and is 1e-5 unless given (¼); any leading dimensions (½); gradients that reach x (½). The variance is divided by $d$, not by $d - 1$. Not allowed: `nn.LayerNorm` and `F.layer_norm`.


# %% nbgrader={"grade": false, "grade_id": "LayerNorm", "locked": false, "schema_version": 3, "solution": true, "task": false}
class LayerNorm(nn.Module):
    """Each token normalised over its own features."""

    def __init__(self, d, eps=1e-5):
        super().__init__()
        ### BEGIN SOLUTION
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(d))
        self.shift = nn.Parameter(torch.zeros(d))
        ### END SOLUTION

    def forward(self, x):
        """x (..., d) gives (..., d)."""
        ### BEGIN SOLUTION
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        return self.gain * (x - mean) / torch.sqrt(variance + self.eps) + self.shift
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: which dimension</summary>
#
# One mean and one variance for each token: over `dim=-1`, with `keepdim=True`, so that the result, `(…, 1)`, can be subtracted from `(…, d)`.
# </details>
#
# <details><summary>Hint 2: which variance</summary>
#
# `x.var(…)` divides by $d-1$ unless you say `unbiased=False`. Divide by the root of the variance, the standard deviation.
# </details>
#
# <details><summary>Hint 3: gain, shift, eps</summary>
#
# `nn.Parameter(torch.ones(d))` is something that an optimizer will train. ε is added to the variance, inside the root. Multiply by the gain first, then add the shift.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_LayerNorm", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("LayerNorm", LayerNorm)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("LayerNorm", LayerNorm)
### END HIDDEN TESTS

# %% [markdown]
# ### Layer norm, and not batch norm
#
# Batch normalisation, at home in vision, takes the mean and variance of each feature **over all tokens of the batch**. In text, batches are full of padding. Below are two sentences of four tokens with six features; then the same two with eight tokens of padding each; then the same first sentence beside another neighbour. `change` measures how far the four real tokens of sentence 0, which are the same numbers every time, move after normalisation.

# %%
torch.manual_seed(0)
x = torch.randn(2, 4, 6) + 2
neighbour = x.clone()
neighbour[1] = 3 * torch.randn(4, 6)
padded = torch.cat([x, torch.zeros(2, 8, 6)], dim=1)
batch_statistics = nn.BatchNorm1d(6)


def batch_norm(tokens):
    return batch_statistics(tokens.flatten(0, 1)).reshape(tokens.shape)


def change(norm, other):
    """The mean change of the real tokens of sentence 0."""
    with torch.no_grad():
        return (norm(other)[0, :4] - norm(x)[0]).abs().mean().item()


# %% [markdown]
# ### Exercise 10 · `padding_and_norms`
# *experiment · ●○○ · 5 minutes · 2 points*
#
# Hand in four numbers: the change by padding and by the other neighbour, for `batch_norm` (1½) and for your own `LayerNorm(6)` (½).

# %% nbgrader={"grade": false, "grade_id": "padding_and_norms", "locked": false, "schema_version": 3, "solution": true, "task": false}
padding_and_norms = {
    "batch_norm, padding": ...,
    "layer_norm, padding": ...,
    "batch_norm, neighbour": ...,
    "layer_norm, neighbour": ...,
}
### BEGIN SOLUTION
padding_and_norms = {
    "batch_norm, padding": change(batch_norm, padded),
    "layer_norm, padding": change(LayerNorm(6), padded),
    "batch_norm, neighbour": change(batch_norm, neighbour),
    "layer_norm, neighbour": change(LayerNorm(6), neighbour),
}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: guess first</summary>
#
# Two of the four numbers can be said without a computer. Which norm looks at one token at a time?
# </details>
#
# <details><summary>Hint 2: how to measure</summary>
#
# `change(batch_norm, padded)` is the first of them.
# </details>
#
# <details><summary>Hint 3: the other norm</summary>
#
# `change` takes any function of tokens; `LayerNorm(6)` is one.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_padding_and_norms", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("padding_and_norms", padding_and_norms)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("padding_and_norms", padding_and_norms)
### END HIDDEN TESTS

# %% [markdown]
# **What to see:** the more padding, the further batch norm moves tokens that did not change, by more than a standard deviation in the end. Layer norm does not move them at all. (When a trained model writes, batch norm falls back on averages that it took in training, padding included.)

# %%
amounts = [0, 1, 2, 4, 8, 16, 32]
longer = {n: torch.cat([x, torch.zeros(2, n, 6)], dim=1) for n in amounts}
plots.curves(
    "The same four tokens, with more and more padding behind them",
    {
        "batch norm": [change(batch_norm, longer[n]) for n in amounts],
        "layer norm": [change(LayerNorm(6), longer[n]) for n in amounts],
    },
    x=amounts,
    x_label="padding tokens",
    y_label="mean change",
)

# %%
quiz("ten_times_the_token")

# %% [markdown]
# ## 7 · The feed-forward network
#
# Attention mixes tokens, but what it mixes is linear in the values. The **feed-forward network** is where a token is worked on by itself: widen, bend, narrow again.
#
# $$\operatorname{FFN}(x) \;=\; \max(0,\; x W_1 + b_1)\, W_2 + b_2$$
#
# The same $W_1$ and $W_2$ for every token: *position-wise*. With the usual $d_{ff} = 4d$ it holds $8 d^2$ weights, twice as many as attention with its $4 d^2$.

# %% [markdown]
# ### Exercise 11 · `FeedForward`
# *code · ●○○ · 5 minutes · 2 points*
#
# Linear to `d_ff`, ReLU, dropout, linear back to `d_model`, both layers with bias. What is asked: the network (1); while training, dropout on the hidden layer (½); afterwards none (½).


# %% nbgrader={"grade": false, "grade_id": "FeedForward", "locked": false, "schema_version": 3, "solution": true, "task": false}
class FeedForward(nn.Module):
    """The same small network for every token."""

    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.widen = nn.Linear(d_model, d_ff)
        self.dropout = nn.Dropout(dropout)
        self.narrow = nn.Linear(d_ff, d_model)
        ### END SOLUTION

    def forward(self, x):
        """x (..., d_model) gives (..., d_model)."""
        ### BEGIN SOLUTION
        hidden = self.dropout(torch.relu(self.widen(x)))
        return self.narrow(hidden)
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: each token by itself</summary>
#
# `nn.Linear` acts on the last dimension and leaves all others alone, so you need not do anything about tokens.
# </details>
#
# <details><summary>Hint 2: the order</summary>
#
# Four steps: a linear layer, `torch.relu`, dropout, a linear layer. Without the ReLU, two linear layers would be one.
# </details>
#
# <details><summary>Hint 3: dropout</summary>
#
# Make `nn.Dropout(dropout)` in `__init__`, and call it on what comes out of the ReLU. It knows by itself whether the module is in training mode.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_FeedForward", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("FeedForward", FeedForward)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("FeedForward", FeedForward)
### END HIDDEN TESTS

# %% [markdown]
# Two properties to see. Permute the tokens, and the outputs are permuted in the same way: no token knows its place or its neighbours. And most of a block's weights are here.

# %%
torch.manual_seed(0)
network, x, order = FeedForward(8, 32), torch.randn(1, 5, 8), torch.tensor([3, 0, 4, 1, 2])
gap = (network(x[:, order]) - network(x)[:, order]).abs().max().item()
print(f"permuting before or after: outputs differ by {gap:.1e}")
for part in (FeedForward(512, 2048), MultiHeadAttention(512, 8)):
    print(f"{type(part).__name__:18} {sum(p.numel() for p in part.parameters()):,} weights")

# %%
quiz("one_token_changes")

# %% [markdown]
# ## 8 · A decoder block on paper
#
# A decoder block has three **sublayers**. Masked self-attention lets the target look at itself; cross-attention lets it look at the **memory** $M$, which the encoder made of the source; the feed-forward network works on each token. The input of each is added to its output (and normalised), so all of them keep the shape of $X$.
#
# $$H_1 = X + Z_1 W_{o1} \qquad H_2 = H_1 + Z_2 W_{o2} \qquad Y = H_2 + \max(0, H_2 W_1)\,W_2$$
#
# Here $Z_1 = A_1 V_1$ with queries, keys and values from $X$, and $Z_2 = A_2 V_2$ with queries from $H_1$ and keys and values from $M$.

# %% [markdown]
# ### Exercise 12 · `decoder_block_shapes`
# *shapes · ●●○ · 15 minutes · 5 points*
#
# Fill in the sheet for one head, biases and norms left out. The names in use are `B`, `n_tgt`, `n_src`, `d`, `d_k`, `d_v` and `d_ff`. Given are $X$, `"B n_tgt d"`, and the memory $M$, `"B n_src d"`. Queries and keys are `d_k` wide, values `d_v`; `F` is the hidden layer of the network. Tokens are rows, and weights multiply from the right.
#
# Points: 1½ for masked self-attention, 2 for cross-attention, 1½ for the network.

# %% [markdown]
# Would you rather fill in a **form**? Type a shape beside each name: it is checked against the others as you type. The button writes the sheet as Python, to copy into the answer cell below, which is what counts.

# %%
shape_form("decoder_block_shapes")

# %% nbgrader={"grade": false, "grade_id": "decoder_block_shapes", "locked": false, "schema_version": 3, "solution": true, "task": false}
decoder_block_shapes = (
    {"W_q1": ..., "W_k1": ..., "W_v1": ..., "Q1": ..., "K1": ..., "V1": ...}  # masked self-attention
    | {"A1": ..., "Z1": ..., "W_o1": ..., "H1": ...}
    | {"W_q2": ..., "W_k2": ..., "W_v2": ..., "Q2": ..., "K2": ..., "V2": ...}  # cross-attention
    | {"A2": ..., "Z2": ..., "W_o2": ..., "H2": ...}
    | {"W_1": ..., "F": ..., "W_2": ..., "Y": ...}  # the feed-forward network
)
### BEGIN SOLUTION
decoder_block_shapes = (
    {"W_q1": "d d_k", "W_k1": "d d_k", "W_v1": "d d_v", "Q1": "B n_tgt d_k", "K1": "B n_tgt d_k", "V1": "B n_tgt d_v"}
    | {"A1": "B n_tgt n_tgt", "Z1": "B n_tgt d_v", "W_o1": "d_v d", "H1": "B n_tgt d"}
    | {"W_q2": "d d_k", "W_k2": "d d_k", "W_v2": "d d_v", "Q2": "B n_tgt d_k", "K2": "B n_src d_k", "V2": "B n_src d_v"}
    | {"A2": "B n_tgt n_src", "Z2": "B n_tgt d_v", "W_o2": "d_v d", "H2": "B n_tgt d"}
    | {"W_1": "d d_ff", "F": "B n_tgt d_ff", "W_2": "d_ff d", "Y": "B n_tgt d"}
)
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: who asks, who answers</summary>
#
# In self-attention everything comes from $X$. In cross-attention only the queries come from the target; keys and values come from the memory, which has `n_src` tokens.
# </details>
#
# <details><summary>Hint 2: rows and columns of A</summary>
#
# $A = \operatorname{softmax}(QK^\top)$ has a row for each query and a column for each key. A mask changes no shape.
# </details>
#
# <details><summary>Hint 3: back to d</summary>
#
# $Z$ averages values, so it is `d_v` wide, with a row for each query. $W_o$ takes it back to `d`, because it is added to something that is `d` wide. In the same way $W_1$ goes from `d` to `d_ff`, and $W_2$ back.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_decoder_block_shapes", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check("decoder_block_shapes", decoder_block_shapes)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("decoder_block_shapes", decoder_block_shapes)
### END HIDDEN TESTS

# %% [markdown]
# ### The decoder block, with your shapes
#
# **What to see:** the upper row is self-attention, from left to right; the middle row is cross-attention, from right to left, where the memory comes in; the lowest row is the network. Only `K2`, `V2` and the columns of `A2` have `n_src` tokens: that is the one place where the source enters. A dashed frame marks a shape that does not follow from its inputs, with a question below.

# %%
plots.decoder_block_diagram(decoder_block_shapes)

# %%
quiz("longer_memory")

# %% [markdown]
# ## 9 · The blocks
#
# An **encoder block** has two sublayers, self-attention and the network. Around each goes a **residual connection**, and with each goes a norm. The paper of 2017 normalises the sum; most models since then normalise what goes into the sublayer, and leave the path around it alone:
#
# $$\text{after: } \; x \leftarrow \operatorname{norm}\big(x + \operatorname{drop}(\operatorname{sub}(x))\big) \qquad\qquad \text{before: } \; x \leftarrow x + \operatorname{drop}\big(\operatorname{sub}(\operatorname{norm}(x))\big)$$

# %% [markdown]
# ### Exercise 13 · `EncoderBlock`
# *code · ●●● · 10 minutes · 4 points*
#
# Parts: `self_attention` (a `MultiHeadAttention`), `feed_forward` (with two linear layers), `norm1` and `norm2`; call them so, since the grader gives them its own weights. Use your own `FeedForward` and `LayerNorm`, once their checks pass; `nn.LayerNorm` will do here, too. `forward` returns x alone.
#
# What is asked: norms after the sums with `norm_first=False` (1), norms before the sublayers with `norm_first=True` (1), a mask that reaches self-attention (1), dropout on each sublayer's output before it is added, in training mode only (½), the `x` of your caller left unchanged (½). Mask, dropout and `x` count half with each order of norms. Not allowed: PyTorch's own Transformer layers and `nn.MultiheadAttention`.


# %% nbgrader={"grade": false, "grade_id": "EncoderBlock", "locked": false, "schema_version": 3, "solution": true, "task": false}
class EncoderBlock(nn.Module):
    """Self-attention, then the feed-forward network, each with a path around it."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        ### BEGIN SOLUTION
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.drop, self.norm_first = nn.Dropout(dropout), norm_first
        ### END SOLUTION

    def forward(self, x, mask=None):
        """x (B, n, d_model) gives (B, n, d_model); the mask broadcasts to (B, heads, n, n)."""
        ### BEGIN SOLUTION
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.drop(self.self_attention(y, y, y, mask)[0])
            return x + self.drop(self.feed_forward(self.norm2(x)))
        x = self.norm1(x + self.drop(self.self_attention(x, x, x, mask)[0]))
        return self.norm2(x + self.drop(self.feed_forward(x)))
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: two sublayers</summary>
#
# First attention, then the network; the second takes what the first one gave. Around each: keep `x`, compute something, add it to `x`.
# </details>
#
# <details><summary>Hint 2: two orders</summary>
#
# Write the case `norm_first=False` first and let its check pass: sublayer, dropout, sum, norm. Then the other one: norm, sublayer, dropout, sum. In it, what is added is `x` itself, not `norm(x)`.
# </details>
#
# <details><summary>Hint 3: details</summary>
#
# `self.self_attention(y, y, y, mask)` returns two things, and you need the first. `norm1` goes with attention, `norm2` with the network. One `nn.Dropout` can be used twice.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_EncoderBlock", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("EncoderBlock", EncoderBlock)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("EncoderBlock", EncoderBlock)
### END HIDDEN TESTS

# %% [markdown]
# The proof: PyTorch's `nn.TransformerEncoderLayer` and your block, with the same weights. **What to see:** a difference of 0 or about $10^{-7}$, the rounding of float32.

# %%
torch.manual_seed(0)
theirs, ours = nn.TransformerEncoderLayer(12, 3, 20, dropout=0.0, batch_first=True), EncoderBlock(12, 3, 20)
load_from_torch(ours.self_attention, theirs.self_attn)
layers = [part for part in ours.feed_forward.modules() if isinstance(part, nn.Linear)]
layers[0].load_state_dict(theirs.linear1.state_dict())
layers[1].load_state_dict(theirs.linear2.state_dict())
x = torch.randn(2, 5, 12)
print(f"largest difference: {(ours(x) - theirs(x)).abs().max().item():.1e}")

# %% [markdown]
# ### Exercise 14 · `DecoderBlock`
# *code · ●●○ · 5 minutes · 4 points*
#
# One sublayer more, in the middle: cross-attention to `memory`, which comes from the encoder and is **not** normalised here. Parts: `self_attention`, `cross_attention`, `feed_forward`, `norm1`, `norm2`, `norm3`, in the order of the sublayers.
#
# What is asked: norms after the sums (1), norms before the sublayers (1), `self_mask` in self-attention (½), `memory_mask` in cross-attention (½), dropout on each sublayer's output, in training mode only (½), gradients that reach x and the memory (½); each of the last four counts half with each order of norms. Which masks to use is the caller's choice: without one, nothing is blocked.


# %% nbgrader={"grade": false, "grade_id": "DecoderBlock", "locked": false, "schema_version": 3, "solution": true, "task": false}
class DecoderBlock(nn.Module):
    """Self-attention, cross-attention to the memory, then the feed-forward network."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        ### BEGIN SOLUTION
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))
        self.drop, self.norm_first = nn.Dropout(dropout), norm_first
        ### END SOLUTION

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        """x (B, n_tgt, d_model), memory (B, n_src, d_model); returns (B, n_tgt, d_model)."""
        ### BEGIN SOLUTION
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.drop(self.self_attention(y, y, y, self_mask)[0])
            x = x + self.drop(self.cross_attention(self.norm2(x), memory, memory, memory_mask)[0])
            return x + self.drop(self.feed_forward(self.norm3(x)))
        x = self.norm1(x + self.drop(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.drop(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.drop(self.feed_forward(x)))
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: what is new</summary>
#
# Copy your encoder block. Between the two sublayers comes a third: the queries are the target, the keys and the values are `memory`. It has weights and a norm of its own.
# </details>
#
# <details><summary>Hint 2: two masks</summary>
#
# `self_mask` hides target tokens from the target, so it goes to `self_attention`; `memory_mask` hides source tokens, so it goes to `cross_attention`.
# </details>
#
# <details><summary>Hint 3: two orders</summary>
#
# With norms before the sublayers, normalise the queries and leave `memory` as it is. Everything else is as in the encoder block: dropout, sum, and norms 1, 2, 3 in this order.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_DecoderBlock", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("DecoderBlock", DecoderBlock)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("DecoderBlock", DecoderBlock)
### END HIDDEN TESTS

# %% [markdown]
# Two things to ask your block. Is it causal, as a whole? Token 3 of the target is changed. And does a target token look at one source word only, its translation? **What to see:** only outputs 3 and later move. And no cross-attention weight is 0: every target token looks at *every* source token that is not blocked. An alignment is a matter of larger and smaller weights, learnt in training.

# %%
torch.manual_seed(0)
block, target, memory = DecoderBlock(12, 3, 24), torch.randn(1, 6, 12), torch.randn(1, 4, 12)
changed = target.clone()
changed[:, 3] += 1
mask = create_look_ahead_mask(6)
with torch.no_grad():
    moved = (block(changed, memory, mask) - block(target, memory, mask)).abs().amax(-1)[0]
    _, weights = block.cross_attention(target, memory, memory)
print("change of each output:", [f"{change:.2f}" for change in moved.tolist()])
print(f"smallest weight in cross-attention: {weights.min():.2f}")

# %%
quiz("after_the_last_sum")

# %% [markdown]
# ## 10 · What residuals do for the gradient
#
# Stack $N$ layers. Without residuals, the gradient on its way back is multiplied by one Jacobian after another, $J_1 J_2 \cdots J_N$. With them it is
#
# $$\frac{\partial}{\partial x}\big(x + F(x)\big) \;=\; I + J$$
#
# at each layer: the gradient goes through $F$ **and** around it. Below, a gradient of length 1 arrives at the top of a stack of your feed-forward networks; what length is left at the bottom?


# %%
def gradient_left(depth, residual):
    """The length that is left at the bottom of a gradient of length 1 at the top."""
    torch.manual_seed(0)
    layers = [FeedForward(32, 64) for _ in range(depth)]
    x = torch.randn(10, 32, requires_grad=True)
    y = x
    for layer in layers:
        y = y + layer(y) if residual else layer(y)
    arriving = torch.randn(10, 32)
    y.backward(arriving / arriving.norm())
    return x.grad.norm().item()


# %% [markdown]
# ### Exercise 15 · `gradient_by_depth`
# *experiment · ●○○ · 5 minutes · 2 points*
#
# Hand in four numbers, half a point each: the **base-ten logarithm** of the length that is left, for 4 and for 16 layers, plain and with residuals. A logarithm of −3 means that a thousandth is left.

# %% nbgrader={"grade": false, "grade_id": "gradient_by_depth", "locked": false, "schema_version": 3, "solution": true, "task": false}
gradient_by_depth = {
    "plain, 4 layers": ...,
    "plain, 16 layers": ...,
    "residual, 4 layers": ...,
    "residual, 16 layers": ...,
}
### BEGIN SOLUTION
gradient_by_depth = {
    f"{kind}, {depth} layers": math.log10(gradient_left(depth, residual=kind == "residual"))
    for kind in ("plain", "residual")
    for depth in (4, 16)
}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: which function</summary>
#
# `gradient_left(4, residual=False)` gives the first length.
# </details>
#
# <details><summary>Hint 2: which logarithm</summary>
#
# `math.log10(0.001)` is −3; `math.log` would be the natural logarithm.
# </details>
#
# <details><summary>Hint 3: what to expect</summary>
#
# If each plain layer left half of the gradient, four layers would leave $1/16$, and sixteen? With residuals, is the length nearer to 1, and is it above or below?
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_gradient_by_depth", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("gradient_by_depth", gradient_by_depth)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("gradient_by_depth", gradient_by_depth)
### END HIDDEN TESTS

# %% [markdown]
# **What to see:** on a logarithmic axis the plain stack falls in a straight line, by the same factor with each layer. At depth 16 so little is left that nothing can be learned from it. With residuals the length stays near 1, and grows a little with each layer.

# %%
depths = [1, 2, 4, 8, 12, 16]
plots.curves(
    "What is left of a gradient of length 1",
    {
        "with residuals": [gradient_left(depth, True) for depth in depths],
        "plain": [gradient_left(depth, False) for depth in depths],
    },
    x=depths,
    x_label="layers",
    y_label="length at the bottom",
    log_y=True,
)

# %% [markdown]
# **So a gradient can never fall below 1?** That is often said: "the identity guarantees a gradient of at least 1". Look at $I + J$ again. It is a sum, and $J$ may have any sign. Take the simplest sublayer there is, $F(x) = x W$ with a square matrix $W$. Then a gradient $g$ (a row) arrives as $g\,(I + W)^\top$.

# %% [markdown]
# ### Exercise 16 · `residual_gradient_can_vanish`
# *counterexample · ●●○ · 5 minutes · 1 point*
#
# Refute the claim. Hand in a square tensor `W` of shape `(d, d)`, for any `d` you like, such that **every** gradient arrives shorter than it left, whatever its direction.

# %% nbgrader={"grade": false, "grade_id": "residual_gradient_can_vanish", "locked": false, "schema_version": 3, "solution": true, "task": false}
residual_gradient_can_vanish = ...  # W
### BEGIN SOLUTION
residual_gradient_can_vanish = torch.tensor([[-0.5, 0.0], [0.0, -0.5]])
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: one feature</summary>
#
# For $d = 1$, $W$ is a number $w$, and the gradient is multiplied by $1 + w$. For which $w$ does it get shorter? Not for all negative ones.
# </details>
#
# <details><summary>Hint 2: every direction</summary>
#
# With more features, every direction must shrink, so $I + W$ has to be small as a whole. What is $I + W$ if $W$ is a multiple of the identity?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.eye(3)` is the identity of three features. What must you multiply it by, so that $I + W$ is, say, half the identity?
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_residual_gradient_can_vanish", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("residual_gradient_can_vanish", residual_gradient_can_vanish)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("residual_gradient_can_vanish", residual_gradient_can_vanish)
### END HIDDEN TESTS

# %% [markdown]
# See for yourself: gradients in all directions, and what twelve such layers, **with** residuals, leave of one. **What to see:** with every layer the gradient gets shorter, residuals or not (and if your $I + W$ is 0, nothing is left after the first).

# %%
W = residual_gradient_can_vanish
W = (W if isinstance(W, torch.Tensor) else W[0]).float()
step = torch.eye(len(W)) + W
gradients = torch.randn(1000, len(W), generator=torch.Generator().manual_seed(0))
factors = (gradients @ step.T).norm(dim=1) / gradients.norm(dim=1)
print(f"a gradient arrives with {factors.min():.3f} to {factors.max():.3f} times its length")
lengths = [torch.linalg.matrix_norm(torch.linalg.matrix_power(step, n), ord=2).item() for n in range(13)]
plots.curves("Residual layers that cancel", {"longest": lengths}, x=range(13), x_label="layers", y_label="length left")

# %% [markdown]
# Why, then, do residuals work so well? Because at the start of training weights are small, so $J$ is small beside $I$; because networks can learn to keep it so; and because the path around is there at every layer. It is a good default, not a guarantee.

# %%
quiz("a_sublayer_that_cancels")

# %% [markdown]
# **Where you stand.** Run the checks above, then this cell: it says which of them pass and which points are still open.

# %%
progress("05")

# %% [markdown]
# ## What to take along
#
# | mask | blocked | shape | where |
# |:--|:--|:--|:--|
# | look-ahead | $j > i$ | `(1, 1, n, n)` | self-attention of a decoder |
# | padding | key is padding | `(B, 1, 1, n)` | wherever those tokens are keys |
# | streaming | $j > i$ or $j < i - \text{lookback}$ | `(1, 1, n, n)` | live input |
#
# | sublayer | mixes tokens | with a path around it | normalised by |
# |:--|:--|:--|:--|
# | self-attention | yes, of its own sequence | yes | layer norm |
# | cross-attention | brings in the source | yes | layer norm, memory as it is |
# | feed-forward | no | yes | layer norm |
#
# Three sentences to keep: *a mask belongs before the softmax*; *test what a model does, not how it looks*; and *a residual adds the identity, it does not promise it*.
#
# Next, unit 06 stacks these blocks into a whole Transformer, trains it, and lets it write.
