# %% [markdown]
# # 01 · Shapes of cross-attention
#
# <!-- course map -->
#
# A translator reads a sentence, then writes another. While it writes each word it looks back at the words it has read: at some of them closely, at others hardly at all. **Cross-attention** is that look back, as three matrix products and a softmax. This unit follows every shape through it and then lets you write it.
#
# **At the end you will be able to**
# - name the shape of every tensor in cross-attention, and find a wrong one by reading a formula;
# - write scaled dot-product attention and cross-attention in a few lines;
# - read the same formula when tokens are columns instead of rows;
# - say why attention is not a linear layer, and prove it with two small tensors.
#
# **Time:** about 100 minutes. **Points:** 40, in ten exercises.
#
# **How an exercise works.** Replace `raise NotImplementedError()` (and every `...`) with your answer and run the cell. Run the check below it: it says what is right, what is not and where to look. Stuck? Three hints, each stronger than the last, are folded under every exercise. The check cell is also what is graded, with other inputs; what is asked is written above it, nothing else counts.

# %%
import math

import torch

from course_lib import plots
from course_lib.checks import check
from course_lib.tasks.toy_words import embed
from course_lib.widgets import explore_attention, progress, quiz, shape_form

# %% [markdown]
# ## 1 · Two sequences, one formula
#
# The **source** is the sentence that was read, $n_{src}$ tokens. The **target** is the sentence being written, $n_{tgt}$ tokens. Both come in batches of $B$, and every token is a row of $d$ numbers:
#
# - $X_{tgt}$ has shape `(B, n_tgt, d)` and $X_{src}$ has shape `(B, n_src, d)`.
#
# Each target token makes a **query**: what am I looking for? Each source token makes a **key**, what can I be found by, and a **value**, what do I hand over:
#
# $$Q = X_{tgt}\,W_q \qquad K = X_{src}\,W_k \qquad V = X_{src}\,W_v$$
#
# Queries are compared with keys, so both have $d_q$ numbers. Values may have another width, $d_v$. Every query is compared with every key, a softmax turns each row of scores into weights that sum to 1, and the weights average the values:
#
# $$\text{scores} = Q K^\top \qquad A = \operatorname{softmax}\!\left(\frac{\text{scores}}{\sqrt{d_q}}\right) \qquad Z = A\,V$$
#
# The transpose swaps the last two dimensions, and the batch dimension rides along in every product.

# %% [markdown]
# ### Exercise 1 · `cross_attention_shapes`
# *shapes · ●○○ · 15 minutes · 6 points*
#
# Fill in the **shape sheet**: for each tensor a string of dimension names, separated by spaces. The names in use are `B`, `n_tgt`, `n_src`, `d`, `d_q` and `d_v`. The inputs are given: $X_{tgt}$ is `"B n_tgt d"`, $X_{src}$ is `"B n_src d"`.
#
# The check multiplies *your* shapes. Where something does not fit, it first asks you a question; after each new try it says more. Points: 2 for the weights, 2 for the projections, 2 for scores, A and Z.

# %% [markdown]
# Would you rather fill in a **form**? Type a shape beside each name: it is checked against the others as you type. The button writes the sheet as Python, to copy into the answer cell below, which is what counts.

# %%
shape_form("cross_attention_shapes")

# %% nbgrader={"grade": false, "grade_id": "cross_attention_shapes", "locked": false, "schema_version": 3, "solution": true, "task": false}
cross_attention_shapes = {
    "W_q": ...,
    "W_k": ...,
    "W_v": ...,
    "Q": ...,
    "K": ...,
    "V": ...,
    "scores": ...,
    "A": ...,
    "Z": ...,
}
### BEGIN SOLUTION
cross_attention_shapes = {
    "W_q": "d d_q",
    "W_k": "d d_q",
    "W_v": "d d_v",
    "Q": "B n_tgt d_q",
    "K": "B n_src d_q",
    "V": "B n_src d_v",
    "scores": "B n_tgt n_src",
    "A": "B n_tgt n_src",
    "Z": "B n_tgt d_v",
}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: where to begin</summary>
#
# Begin with the weights. In `X_tgt @ W_q` the last dimension of `X_tgt` meets the first dimension of `W_q`. Do all sequences of a batch share the same weights, or does each have its own?
# </details>
#
# <details><summary>Hint 2: a rule for products</summary>
#
# `(…, i, k) @ (…, k, j)` is `(…, i, j)`: the inner dimension disappears, the outer two stay. Apply it to Q, K and V; then write down the shape of `K` with its last two dimensions swapped and apply it again.
# </details>
#
# <details><summary>Hint 3: what the rows are</summary>
#
# Rows of Q are target tokens; rows of K and V are source tokens. So `scores` has a row for each target token and a column for each source token. A softmax does not change a shape. In `A @ V` the source tokens disappear, because they are averaged over.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_cross_attention_shapes", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("cross_attention_shapes", cross_attention_shapes)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("cross_attention_shapes", cross_attention_shapes)
### END HIDDEN TESTS

# %% [markdown]
# The same sheet as a picture. A tensor that does not follow from its inputs gets a dashed frame, with a question below. Go back and change a shape to see it happen.

# %%
plots.cross_attention_diagram(cross_attention_shapes)

# %% [markdown]
# ### Exercise 2 · `query_key_value_roles`
# *choose · ●○○ · 5 minutes · 3 points*
#
# Which of these statements about cross-attention are true? Set the variable to all the letters that are, for example `"BD"`. A true statement found counts for you, a false one chosen against you.
#
# - **A** Queries come from the target; keys and values come from the source.
# - **B** The weights of a query are computed from the queries and the values.
# - **C** The output has one row for each query.
# - **D** Keys and values must have the same width, $d_q = d_v$.
# - **E** A key decides how much a source token is listened to; its value is what is then heard.
# - **F** A target token looks only at the one source token it translates; the others get weight exactly 0.

# %% nbgrader={"grade": false, "grade_id": "query_key_value_roles", "locked": false, "schema_version": 3, "solution": true, "task": false}
query_key_value_roles = ...
### BEGIN SOLUTION
query_key_value_roles = "ACE"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: use your shapes</summary>
#
# Your sheet answers C and D: how many rows has Z, and which widths are compared with each other?
# </details>
#
# <details><summary>Hint 2: read the formula for A</summary>
#
# Which of Q, K and V appear in the formula for $A$? And which appears only after $A$ is known?
# </details>
#
# <details><summary>Hint 3: can a softmax give zero?</summary>
#
# $\operatorname{softmax}(s)_j = e^{s_j} / \sum_k e^{s_k}$, and $e^{s}$ is positive for every real number $s$.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_query_key_value_roles", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("query_key_value_roles", query_key_value_roles)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("query_key_value_roles", query_key_value_roles)
### END HIDDEN TESTS

# %% [markdown]
# **Practice.** After each section comes one question that counts for nothing. Choose an answer and read why it is right, or why not.

# %%
quiz("longer_source")

# %% [markdown]
# ## 2 · Attention in one function
#
# Once there are queries, keys and values, it no longer matters where they came from. That step is **scaled dot-product attention**:
#
# $$\operatorname{attention}(q, k, v) = \operatorname{softmax}\!\left(\frac{q\,k^\top}{\sqrt{d_k}}\right) v$$
#
# Here $d_k$ is the width of the keys (called $d_q$ above: queries and keys share it). Why divide by its root? Unit 02 gives the reason; here we only obey.
#
# Sometimes a query must not look at some keys: padding, for example, or words that are not written yet. A **mask** says which: it is `True` where looking is **blocked**. A blocked key must get weight 0 and the others must still sum to 1, so the mask acts on the scores, *before* the softmax.

# %% [markdown]
# ### Exercise 3 · `scaled_dot_product_attention`
# *code · ●●○ · 20 minutes · 8 points*
#
# Write the function. What is asked: the right output and weights (3), a mask (2), any leading dimensions (1), gradients that reach q, k and v (1), float64 results for float64 inputs (½), arguments left unchanged (½). Not allowed: `F.scaled_dot_product_attention` and `nn.MultiheadAttention`, because they are the exercise.


# %% nbgrader={"grade": false, "grade_id": "scaled_dot_product_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scaled_dot_product_attention(q, k, v, mask=None):
    """Attention of every query over all keys.

    q: (..., n_q, d_k)   k: (..., n_k, d_k)   v: (..., n_k, d_v)
    mask: None, or booleans that broadcast to (..., n_q, n_k), True where blocked
    returns: output (..., n_q, d_v) and weights (..., n_q, n_k)
    """
    ### BEGIN SOLUTION
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: four lines</summary>
#
# One line each for: the scores, the mask (if there is one), the weights, the output.
# </details>
#
# <details><summary>Hint 2: the tools</summary>
#
# `k.transpose(-2, -1)` swaps the last two dimensions, whatever stands before them. `scores.masked_fill(mask, value)` makes a copy with `value` wherever the mask is True. Which value becomes 0 under the softmax? And over which dimension must the weights of one query sum to 1?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Divide `q @ k.transpose(-2, -1)` by `math.sqrt(q.shape[-1])`; fill blocked scores with `float("-inf")`; take the softmax with `dim=-1`; return two things, the output first.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_scaled_dot_product_attention", "locked": true, "points": 8, "schema_version": 3, "solution": false, "task": false}
check("scaled_dot_product_attention", scaled_dot_product_attention)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("scaled_dot_product_attention", scaled_dot_product_attention)
### END HIDDEN TESTS

# %% [markdown]
# A picture of your own weights: three queries over four keys, first without a mask, then with the last key blocked for everyone. **What to see:** in the second map the last column is empty, and the weight it held has gone to the other keys of the same row, in proportion. Every row sums to 1 in both.

# %%
torch.manual_seed(0)
q, k, v = torch.randn(3, 6), torch.randn(4, 6), torch.randn(4, 2)
last_key_blocked = torch.tensor([False, False, False, True])

plots.attention_maps(
    {
        "no mask": scaled_dot_product_attention(q, k, v)[1],
        "last key blocked": scaled_dot_product_attention(q, k, v, last_key_blocked)[1],
    }
)

# %% [markdown]
# **Try it.** Below, queries and keys are arrows in the plane, and the weights come from your function. Turn query 0 until it looks at key 2, make the queries longer and shorter, block a key, or type vectors of your own.

# %%
explore_attention(scaled_dot_product_attention)

# %%
quiz("blocked_afterwards")

# %% [markdown]
# ## 3 · The target asks, the source answers
#
# Now put the two halves together: three projections, then attention.

# %% [markdown]
# ### Exercise 4 · `cross_attention`
# *code · ●●○ · 10 minutes · 5 points*
#
# Queries come from the target, keys and values from the source; the scale is $1/\sqrt{d_q}$. You may call your own `scaled_dot_product_attention`, but make its check pass first: a mistake there would show here again. What is graded: output and weights (3), also for a source that is shorter than the target (1), gradients that reach every input (½), arguments left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "cross_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def cross_attention(x_tgt, x_src, w_q, w_k, w_v):
    """Attention of the target over the source.

    x_tgt: (B, n_tgt, d)   x_src: (B, n_src, d)   w_q, w_k: (d, d_q)   w_v: (d, d_v)
    returns: output (B, n_tgt, d_v) and weights (B, n_tgt, n_src)
    """
    ### BEGIN SOLUTION
    queries, keys, values = x_tgt @ w_q, x_src @ w_k, x_src @ w_v
    return scaled_dot_product_attention(queries, keys, values)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: who makes what</summary>
#
# Who asks, and who answers? Write the three projections first, one line each, and print their shapes.
# </details>
#
# <details><summary>Hint 2: from the sheet</summary>
#
# Your shape sheet says it: Q has `n_tgt` rows, K and V have `n_src`. Which of `x_tgt` and `x_src` has to be multiplied by which weight?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `x_tgt @ w_q` are the queries. Make keys and values in the same way from `x_src`, hand all three to `scaled_dot_product_attention`, and return what it returns.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_cross_attention", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check("cross_attention", cross_attention)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("cross_attention", cross_attention)
### END HIDDEN TESTS

# %% [markdown]
# **Same weights, different inputs.** Below, words are small vectors of meaning (*cat* and *chat* share a coordinate), and one fixed set of weights attends from French to two different English sentences. **What to see:** nobody told the weights about word order, yet *petit* finds *small* wherever it stands, and *dort* spreads over *is* and *asleep*. The map is computed from the words, so another sentence has another map.

# %%
french = ["le", "petit", "chat", "dort", "."]
english = ["the", "small", "cat", "is", "asleep", "."]
reordered = ["asleep", "is", "the", "cat", ".", "small"]
w_q = w_k = 3.0 * torch.eye(7)
w_v = torch.eye(7)


def look_back(source):
    output, weights = cross_attention(embed(french)[None], embed(source)[None], w_q, w_k, w_v)
    return output[0], weights[0]


plots.attention_maps({"source as written": look_back(english)[1]}, queries=french, keys=english)

# %%
plots.attention_maps({"source in another order": look_back(reordered)[1]}, queries=french, keys=reordered)

# %% [markdown]
# **A claim to correct.** One often reads that a word being written "relies only on the source word it is aligned with". Look at the row of *petit*: *small* has most of the weight, not all of it. The cell below replaces *cat* by *dog*, a word that *petit* is **not** aligned with, and the output of *petit* moves all the same.

# %%
output, weights = look_back(english)
with_dog, _ = look_back(["the", "small", "dog", "is", "asleep", "."])
print(f"weight of 'petit' on 'small': {weights[1, 1].item():.3f}, on 'cat': {weights[1, 2].item():.3f}")
print(f"smallest weight in the whole map: {weights.min().item():.3f}")
print(f"cat → dog moves the output of 'petit' by {(with_dog - output)[1].norm().item():.3f}")

# %%
quiz("source_in_another_order")

# %% [markdown]
# ## 4 · The same thing in columns
#
# Half of the literature writes tokens as **columns**. Nothing changes but the side on which you multiply, and which dimension the softmax runs over. With $Q$ of shape `(d, n)`, $K$ of shape `(d, m)` and $V$ of shape `(t, m)`:
#
# $$H = V\,\operatorname{softmax}_{\downarrow}\!\left(\beta\,K^\top Q\right)$$
#
# Column $j$ of $K^\top Q$ holds the scores of query $j$, so the softmax runs **down each column**. The number $\beta$ stands in place of $1/\sqrt{d}$: it says how sharply a query chooses. $H$ has shape `(t, n)`, one column for each query.

# %% [markdown]
# ### Exercise 5 · `column_attention`
# *code · ●●○ · 10 minutes · 4 points*
#
# What is asked: $H$ (3), gradients that reach Q, K and V (½), arguments left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "column_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def column_attention(Q, K, V, beta):
    """Attention with tokens as columns.

    Q: (d, n)   K: (d, m)   V: (t, m)   beta: a positive number
    returns: H, whose shape is for you to find
    """
    ### BEGIN SOLUTION
    weights = (beta * K.T @ Q).softmax(dim=0)
    return V @ weights
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: shapes again</summary>
#
# What is the shape of `K.T @ Q`? Which of its two dimensions are the keys?
# </details>
#
# <details><summary>Hint 2: where the softmax goes</summary>
#
# The weights of one query must sum to 1. One query is one column, so the sum runs over the rows: which `dim` is that?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Multiply `K.T @ Q` by `beta` and take the softmax with `dim=0`: these are the weights, of shape `(m, n)`. Then multiply: `V` on the left, the weights on the right, so that the shape is `(t, n)`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_column_attention", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("column_attention", column_attention)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("column_attention", column_attention)
### END HIDDEN TESTS

# %% [markdown]
# Rows or columns, the numbers are the same. With $\beta = 1/\sqrt{d}$ your two functions must agree, up to a transpose:

# %%
d = q.shape[-1]
by_rows = scaled_dot_product_attention(q, k, v)[0]
by_columns = column_attention(q.T, k.T, v.T, beta=1 / math.sqrt(d))
print(f"largest difference: {(by_rows - by_columns.T).abs().max().item():.1e}")

# %%
quiz("wrong_direction")

# %% [markdown]
# ## 5 · What is left without the softmax?
#
# Strip self-attention to the bone: one sequence $X$ of shape `(n, d)`, no softmax, no scale, all three weight matrices the identity. What remains is
#
# $$f(X) = (X X^\top)\,X$$
#
# $X X^\top$ is the **Gram matrix**: entry $(i, j)$ is the dot product of token $i$ and token $j$. There is no weight to learn and no exponential, only products. Surely this is a linear layer? You will refute that twice.

# %% [markdown]
# ### Exercise 6 · `gram_attention`
# *code · ●○○ · 5 minutes · 2 points*
#
# What is asked: the output (1½), the argument left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "gram_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def gram_attention(X):
    """Self-attention without softmax, scale or weights: X (n, d) gives (n, d)."""
    ### BEGIN SOLUTION
    return X @ X.T @ X
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: from attention to this</summary>
#
# Take your attention function, use $X$ as queries, keys and values, and leave out the softmax and the scale.
# </details>
#
# <details><summary>Hint 2: shapes</summary>
#
# `X.T` has shape `(d, n)`. Which product of `X` and `X.T` has shape `(n, n)`?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# The formula is already Python: `@` for each product, `.T` for the transpose, and the parentheses as they stand.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_gram_attention", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("gram_attention", gram_attention)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("gram_attention", gram_attention)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 7 · `not_additive`
# *counterexample · ●●○ · 5 minutes · 2 points*
#
# A linear map is additive: $f(X_1 + X_2) = f(X_1) + f(X_2)$ for **all** inputs. One pair that breaks the rule is enough. Hand in two tensors of the same shape `(n, d)`, small ones, on which additivity fails.

# %% nbgrader={"grade": false, "grade_id": "not_additive", "locked": false, "schema_version": 3, "solution": true, "task": false}
not_additive = (..., ...)  # X1 and X2
### BEGIN SOLUTION
not_additive = (torch.tensor([[1.0, 2.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [3.0, 1.0]]))
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: smaller</summary>
#
# What does $f$ do to a `(1, 1)` tensor, that is, to a single number $x$?
# </details>
#
# <details><summary>Hint 2: one number</summary>
#
# For one number $f(x) = x^3$. Is $(a + b)^3 = a^3 + b^3$?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Almost any two tensors will do, as long as neither is zero and they do not cancel. `torch.tensor([[1.0]])` is a tensor of shape `(1, 1)`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_not_additive", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("not_additive", not_additive)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("not_additive", not_additive)
### END HIDDEN TESTS

# %% [markdown]
# See for yourself. If the two lines differ, additivity is refuted:

# %%
X1, X2 = not_additive
print("f(X1 + X2)    =", gram_attention(X1 + X2).tolist())
print("f(X1) + f(X2) =", (gram_attention(X1) + gram_attention(X2)).tolist())

# %% [markdown]
# ### Exercise 8 · `mixes_tokens`
# *counterexample · ●●○ · 5 minutes · 2 points*
#
# A linear layer $X W$ treats each token by itself: row $i$ of the output depends on row $i$ of $X$ alone. Show that $f$ does not. Hand in a tensor `X` of shape `(n, d)` and two **different** token indices, `changed` and `watched`. The grader **doubles** row `changed` of your tensor; row `watched` of the output must move.

# %% nbgrader={"grade": false, "grade_id": "mixes_tokens", "locked": false, "schema_version": 3, "solution": true, "task": false}
mixes_tokens = (..., ..., ...)  # X, changed, watched
### BEGIN SOLUTION
mixes_tokens = (torch.tensor([[1.0, 0.0], [1.0, 1.0]]), 0, 1)
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: write out one row</summary>
#
# Row $i$ of $f(X)$ is $\sum_j (x_i \cdot x_j)\,x_j$. Where does token $j$ enter the output of token $i$?
# </details>
#
# <details><summary>Hint 2: when it does not move</summary>
#
# If $x_i \cdot x_j = 0$, token $j$ drops out of row $i$. So which pairs of tokens should you avoid?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Two tokens that are the same vector, not zero, surely have a dot product other than 0.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_mixes_tokens", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("mixes_tokens", mixes_tokens)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("mixes_tokens", mixes_tokens)
### END HIDDEN TESTS

# %% [markdown]
# See for yourself. The two lines must differ:

# %%
X, changed, watched = mixes_tokens
doubled = X.clone()
doubled[changed] *= 2
print(f"output of token {watched} before:", gram_attention(X)[watched].tolist())
print(f"output of token {watched} after: ", gram_attention(doubled)[watched].tolist())

# %%
quiz("doubled_input")

# %% [markdown]
# ## 6 · A matrix that depends on its input
#
# Back to full self-attention, where one sequence is both source and target. It can be written as
#
# $$H = A(X)\,X\,W_v \qquad A(X) = \operatorname{softmax}\!\left(\frac{X W_q\,(X W_k)^\top}{\sqrt{d_q}}\right)$$
#
# Read it from the right: $X W_v$ changes every token by itself, then $A(X)$ mixes the tokens. It looks like two linear layers. The catch is the parenthesis: the mixing matrix is made anew from every input.

# %% [markdown]
# ### Exercise 9 · `attention_matrix`
# *code · ●●○ · 10 minutes · 4 points*
#
# What is asked: $A$ with the softmax over the keys and the scale $1/\sqrt{d_q}$ (3), gradients that reach X, w_q and w_k (½), arguments left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "attention_matrix", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_matrix(X, w_q, w_k):
    """The matrix A(X) in H = A(X) X W_v.

    X: (n, d)   w_q, w_k: (d, d_q)
    returns: A (n, n)
    """
    ### BEGIN SOLUTION
    scores = (X @ w_q) @ (X @ w_k).T / math.sqrt(w_q.shape[-1])
    return scores.softmax(dim=-1)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: you have it already</summary>
#
# This is the second thing that `scaled_dot_product_attention` returns, for the right q and k.
# </details>
#
# <details><summary>Hint 2: which width</summary>
#
# The scale uses the width of the queries, the last dimension of `w_q`; not the width of `X`.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Queries are `X @ w_q`, keys are `X @ w_k`. Multiply queries with transposed keys, divide by `math.sqrt(w_q.shape[-1])`, and take the softmax over the last dimension.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_attention_matrix", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("attention_matrix", attention_matrix)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("attention_matrix", attention_matrix)
### END HIDDEN TESTS

# %% [markdown]
# One set of weights, two inputs that differ in a single token. **What to see:** the changed token alters its own row (it asks something else), its own column (it answers something else), and, because every row must sum to 1, a little of everything.

# %%
torch.manual_seed(1)
X_a = torch.randn(5, 4)
X_b = X_a.clone()
X_b[2] = torch.randn(4)
w_q, w_k = torch.randn(4, 3), torch.randn(4, 3)

plots.attention_maps(
    {"A(X)": attention_matrix(X_a, w_q, w_k), "A(X) with token 2 replaced": attention_matrix(X_b, w_q, w_k)}
)

# %% [markdown] nbgrader={"grade": false, "grade_id": "rubric_explain_attention_matrix", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": true}
# ### Exercise 10 · `explain_attention_matrix`
# *explain · ●●○ · 15 minutes · 4 points, graded by a person*
#
# In three to six sentences of your own, in the cell below: What does the entry $A_{ij}$ say? Why is $A$ called *data-dependent*, although $W_q$ and $W_k$ are fixed after training? And how does $H = A(X)\,X\,W_v$ differ from a linear layer $X W$? Use what you found in exercises 7 and 8.
#
# === BEGIN MARK SCHEME ===
#
# One point each for:
# - $A_{ij}$ is the weight with which output $i$ takes up the value of token $j$; each row sums to 1.
# - $A$ is computed from $X$ (through fixed $W_q$, $W_k$), so every input has its own mixing matrix.
# - $X W$ treats each token by itself with the same map; $A(X)$ moves information between tokens.
# - $X \mapsto A(X)\,X\,W_v$ is not linear in $X$ (not additive), as exercise 7 shows even without the softmax.
#
# === END MARK SCHEME ===

# %% [markdown] nbgrader={"grade": true, "grade_id": "explain_attention_matrix", "locked": false, "points": 4, "schema_version": 3, "solution": true, "task": false}
# The entry $A_{ij}$ says how much of the value of token $j$ goes into the output of token $i$; the entries of a row are positive and sum to 1. $W_q$ and $W_k$ are fixed, but $A$ is made from the queries and keys of the input at hand, so another sentence has another $A$. A linear layer $X W$ sends each token through the same matrix on its own, so a token's output cannot depend on its neighbours. In $A(X)\,X\,W_v$ the rows are mixed, as exercise 8 shows. And since $X$ also appears inside $A$, doubling the input does not double the output, nor do outputs add up, as exercise 7 shows even without the softmax: it is not a linear map of $X$.

# %%
quiz("two_sentences")

# %% [markdown]
# **Where you stand.** Run the checks above, then this cell: it says which of them pass and which points are still open.

# %%
progress("01")

# %% [markdown]
# ## What to take along
#
# | tensor | shape | in words |
# |:--|:--|:--|
# | `Q` | one row for each **target** token | what it looks for |
# | `K`, `V` | one row for each **source** token | what it is found by, what it hands over |
# | `A` | target × source, rows sum to 1 | how much each query takes from each value |
# | `Z` | one row for each **target** token | what it found |
#
# Two sentences to keep: *queries decide how many rows come out, values decide how wide they are*; and *attention is a linear map whose matrix is made from its own input, which is why it is not linear*.
#
# Next, unit 02 asks what the softmax does to these scores, and why they are divided by $\sqrt{d_k}$ at all.
