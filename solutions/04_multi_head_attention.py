# %% [markdown]
# # 04 · Multi-head attention
#
# <!-- course map -->
#
# Read this sentence and ask of the word *it* in "The cup fell off the table because **it** was wet": which noun does it mean, which verb does it belong to, which word comes next? Three questions, three different places to look. One attention map gives each word a single set of weights, so it has to settle for a compromise. **Multi-head attention** gives every word several looks at once, each in a small space of its own, for the price of one.
#
# **At the end you will be able to**
# - follow every shape through multi-head attention, with heads of any width;
# - split features into heads and merge them again without scrambling tokens;
# - write the module, give it the weights of `nn.MultiheadAttention` and get the same numbers;
# - build heads by hand that copy, shift and convolve;
# - show a task that two heads solve and one head cannot, and say why.
#
# **Time:** about 120 minutes. **Points:** 43, in twelve exercises.
#
# From unit 01 you know `scaled_dot_product_attention(q, k, v, mask=None)`, which returns `(output, weights)`. Here it is ready to use.

# %%
import torch
from torch import nn

from course_lib import plots
from course_lib.checks import check
from course_lib.nn.attention import scaled_dot_product_attention
from course_lib.widgets import explore_heads, progress, quiz, shape_form

# %% [markdown]
# ## 1 · Several attentions side by side
#
# A **head** is attention with small projections of its own. Head $j$ of $h$ computes
#
# $$Z_j = \operatorname{softmax}\!\left(\frac{X_q W_q^{(j)}\,(X_k W_k^{(j)})^\top}{\sqrt{d_k}}\right) X_v W_v^{(j)}$$
#
# with $W_q^{(j)}$ and $W_k^{(j)}$ of shape `(d, d_k)`. Usually $X_k$ and $X_v$ are the same tokens; in general each key belongs to one value, and the value tokens may have a width of their own, $t$, so $W_v^{(j)}$ has shape `(t, d_v)`. The results are put side by side and projected back to width $t$:
#
# $$H = [\,Z_1 \;\; Z_2 \;\; \cdots \;\; Z_h\,]\;W_o$$
#
# Nobody runs $h$ small products one after the other. The small matrices are **stacked** side by side into one wide $W_q$, one wide $W_k$ and one wide $W_v$; one product makes the queries of all heads at once, `Q`. Then `Q` is **split**: the head becomes a dimension of its own, in front of the tokens, and rides along like a second batch dimension. After attention the heads are **merged** back into one wide `Z`.

# %% [markdown]
# ### Exercise 1 · `multi_head_shapes`
# *shapes · ●●○ · 15 minutes · 6 points*
#
# Fill in the sheet for heads of any width. The names in use are `B`, `n_q`, `n_k`, `d`, `t`, `h`, `d_k` and `d_v`; a product is written `h*d_k`. You are given $X_q$, `"B n_q d"`, which supplies the queries, $X_k$, `"B n_k d"`, for the keys, and $X_v$, `"B n_k t"`, for the values. `W_q`, `W_k` and `W_v` are the stacked matrices of all heads, and `Q_heads`, `K_heads`, `V_heads` are `Q`, `K`, `V` after splitting. `A` has the weights of all heads.
#
# Points: 2 for the stacked weights and projections, 2 for what the heads compute, 2 for `Z`, `W_o` and `H`.

# %% [markdown]
# Would you rather fill in a **form**? Type a shape beside each name: it is checked against the others as you type. The button writes the sheet as Python, to copy into the answer cell below, which is what counts.

# %%
shape_form("multi_head_shapes")

# %% nbgrader={"grade": false, "grade_id": "multi_head_shapes", "locked": false, "schema_version": 3, "solution": true, "task": false}
multi_head_shapes = {
    "W_q": ...,
    "W_k": ...,
    "W_v": ...,
    "Q": ...,
    "K": ...,
    "V": ...,
    "Q_heads": ...,
    "K_heads": ...,
    "V_heads": ...,
    "A": ...,
    "Z_heads": ...,
    "Z": ...,
    "W_o": ...,
    "H": ...,
}
### BEGIN SOLUTION
multi_head_shapes = {
    "W_q": "d h*d_k",
    "W_k": "d h*d_k",
    "W_v": "t h*d_v",
    "Q": "B n_q h*d_k",
    "K": "B n_k h*d_k",
    "V": "B n_k h*d_v",
    "Q_heads": "B h n_q d_k",
    "K_heads": "B h n_k d_k",
    "V_heads": "B h n_k d_v",
    "A": "B h n_q n_k",
    "Z_heads": "B h n_q d_v",
    "Z": "B n_q h*d_v",
    "W_o": "h*d_v t",
    "H": "B n_q t",
}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: how wide is a stack?</summary>
#
# One head's query matrix is `(d, d_k)`. Put `h` of them side by side: the number of rows stays, the numbers of columns add up.
# </details>
#
# <details><summary>Hint 2: what splitting does</summary>
#
# Splitting changes no number. The last dimension, `h*d_k` wide, becomes two, `h` and `d_k`, and `h` moves in front of the tokens, so that the last two dimensions are those of one head: tokens and features.
# </details>
#
# <details><summary>Hint 3: the way back</summary>
#
# In each head, `Q_heads @ K_heads.T` swaps the last two dimensions of the keys and leaves `B h` alone. What is averaged in `Z_heads` are values, so it is `d_v` wide. Merging puts `h` of these side by side, and `W_o` must accept exactly that width.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_multi_head_shapes", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("multi_head_shapes", multi_head_shapes)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("multi_head_shapes", multi_head_shapes)
### END HIDDEN TESTS

# %% [markdown]
# Your sheet as a picture. **What to see:** between *split* and *merge* every tensor has four dimensions and a head `h` of its own; before and after there is no trace of heads but the width. A dashed frame marks a shape that does not follow from its inputs.

# %%
plots.multi_head_diagram(multi_head_shapes)

# %% [markdown]
# **Practice.** After each section comes one question that counts for nothing. Choose an answer and read why it is right, or why not.

# %%
quiz("how_many_maps")

# %% [markdown]
# ## 2 · Split and merge
#
# From here on we take the usual choice $t = d$ and $d_k = d_v = d/h$: the heads share out the width $d$, which $h$ must divide. Head $j$ (counted from 0) owns $d/h$ features that stand side by side, from $j\,d/h$ to $(j+1)\,d/h - 1$:
#
# $$\text{heads}[b,\,j,\,i,\,f] \;=\; x\!\left[b,\; i,\; j\,\tfrac{d}{h} + f\right]$$
#
# This is the step where most multi-head code goes wrong, and silently: a wrong reshape has the right shape.

# %% [markdown]
# ### Exercise 2 · `split_heads`
# *code · ●●○ · 10 minutes · 4 points*
#
# What is asked: each head holds its own features of every token (3), a single head is the whole (½), gradients reach x (½). You may count on `num_heads` dividing `d`.


# %% nbgrader={"grade": false, "grade_id": "split_heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def split_heads(x, num_heads):
    """Cut the features into heads: x (B, n, d) gives (B, h, n, d/h)."""
    ### BEGIN SOLUTION
    batch, n, d = x.shape
    by_token = x.reshape(batch, n, num_heads, d // num_heads)
    return by_token.transpose(1, 2)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: what moves, what stays</summary>
#
# Every head sees every token, but only `d/h` features of it. So cut the last dimension, the features; leave the tokens whole.
# </details>
#
# <details><summary>Hint 2: two steps, in this order</summary>
#
# `reshape` reads numbers in the order in which they lie in memory and never moves one. First use it to cut each row of `d` features into `h` pieces of `d/h`, with the tokens still in front: `(B, n, h, d/h)`. Moving the heads before the tokens is a second step.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# After the reshape to `(B, n, h, d/h)`, `.transpose(1, 2)` swaps dimensions 1 and 2. Nothing else is needed.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_split_heads", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("split_heads", split_heads)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("split_heads", split_heads)
### END HIDDEN TESTS

# %% [markdown]
# Look at what your function moves where. Four tokens with six features are numbered and given to three heads; each cell says which token and which feature it holds, and tokens have colours. **What to see:** every row of every head has one colour, row 0 token 0, row 1 token 1; head 0 holds features 0 and 1, head 1 features 2 and 3, head 2 features 4 and 5.

# %%
numbered = torch.arange(4 * 6).reshape(1, 4, 6)
plots.head_cells(split_heads(numbered, 3)[0], d=6)

# %% [markdown]
# And this is what reshaping straight to `(B, h, n, d/h)` does. **What to see:** the shape is right and the colours are not. "Head 0" holds all of token 0 and a piece of token 1, so its four rows are not four tokens; attention would run without an error and mean nothing.

# %%
plots.head_cells(numbered.reshape(1, 3, 4, 2)[0], d=6)

# %% [markdown]
# ### Exercise 3 · `merge_heads`
# *code · ●○○ · 5 minutes · 2 points*
#
# The way back: heads side by side again, so that `merge_heads(split_heads(x, h))` is `x`. What is asked: the merged tensor (1½), gradients reach x (½).


# %% nbgrader={"grade": false, "grade_id": "merge_heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def merge_heads(x):
    """Put the heads side by side: x (B, h, n, d/h) gives (B, n, d)."""
    ### BEGIN SOLUTION
    batch, heads, n, d_head = x.shape
    return x.transpose(1, 2).reshape(batch, n, heads * d_head)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: one row of the result</summary>
#
# Row $i$ of the result is token $i$ as head 0 sees it, then as head 1 sees it, and so on: more features, not more tokens, and nothing is added up.
# </details>
#
# <details><summary>Hint 2: undo in reverse</summary>
#
# Splitting was: cut, then swap. So merging is: swap back, then glue. Without the swap, `reshape` would glue tokens of one head together.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `x.transpose(1, 2)` is `(B, n, h, d/h)`; make its last two dimensions one with `reshape` or `flatten(-2)`. If you try `view` and Python complains that the size is not compatible: a transposed tensor does not lie in memory in that order, and `reshape` copies it where needed.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_merge_heads", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("merge_heads", merge_heads)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("merge_heads", merge_heads)
### END HIDDEN TESTS

# %%
quiz("straight_reshape")

# %% [markdown]
# ## 3 · The module
#
# Now all of it: project, split, attend, merge, project.
#
# $$\operatorname{MultiHead}(q, k, v) = \operatorname{merge}\big(\operatorname{attention}(\operatorname{split}(q W_q),\ \operatorname{split}(k W_k),\ \operatorname{split}(v W_v))\big)\,W_o$$
#
# The four matrices are `nn.Linear` layers with bias, called `wq`, `wk`, `wv` and `dense`. For self-attention one calls `mha(x, x, x)`; for cross-attention `mha(target, source, source)`.

# %% [markdown]
# ### Exercise 4 · `MultiHeadAttention`
# *code · ●●● · 20 minutes · 8 points*
#
# Write the module. `forward` returns the output `(B, n_q, d_model)` and the weights of **each** head, `(B, h, n_q, n_k)`. The mask is `True` where masked and already broadcasts to the scores `(B, h, n_q, n_k)`; one of shape `(B, 1, n_q, n_k)` is shared by all heads.
#
# What is graded: output and weights (2½), a mask that acts in every head (1½), a mask of its own for each head (½), the same results in training mode, so no dropout (½), gradients that reach q, k and v (1), an error with a sentence when `num_heads` does not divide `d_model` (1), float64 results in a float64 module (½), arguments left unchanged (½). Call your own `split_heads` and `merge_heads`, once their checks pass. Not allowed: `nn.MultiheadAttention` and `F.multi_head_attention_forward`. The grader gives your four layers its own weights, so their names count; everything else inside is yours.


# %% nbgrader={"grade": false, "grade_id": "MultiHeadAttention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttention(nn.Module):
    """Attention in num_heads small spaces at once."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        if d_model % num_heads != 0:
            raise ValueError(f"num_heads = {num_heads} does not divide d_model = {d_model}")
        self.num_heads = num_heads
        self.wq = nn.Linear(d_model, d_model)
        self.wk = nn.Linear(d_model, d_model)
        self.wv = nn.Linear(d_model, d_model)
        self.dense = nn.Linear(d_model, d_model)
        ### END SOLUTION

    def forward(self, q, k, v, mask=None):
        """q (B, n_q, d_model), k and v (B, n_k, d_model); returns output and weights."""
        ### BEGIN SOLUTION
        queries = split_heads(self.wq(q), self.num_heads)
        keys = split_heads(self.wk(k), self.num_heads)
        values = split_heads(self.wv(v), self.num_heads)
        output, weights = scaled_dot_product_attention(queries, keys, values, mask)
        return self.dense(merge_heads(output)), weights
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: what belongs where</summary>
#
# In `__init__`: the test whether `d_model % num_heads` is 0, with `raise ValueError("…")` if not; the number of heads; four layers. In `forward`: five steps, in the order of the formula. Each role has its own layer: `wq` for `q`, `wk` for `k`, `wv` for `v`, and `dense` comes last.
# </details>
#
# <details><summary>Hint 2: heads</summary>
#
# Project first, then split: `split_heads(self.wq(q), self.num_heads)`. After attention, merge first, then `dense`.
# </details>
#
# <details><summary>Hint 3: attention for all heads at once</summary>
#
# `scaled_dot_product_attention` takes any leading dimensions, so it treats `(B, h)` as it treated `(B,)`. It scales by the last dimension of what it gets, which is the width of a head. Hand it the mask as it is. It returns the output and the weights, in the order asked for here.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_MultiHeadAttention", "locked": true, "points": 8, "schema_version": 3, "solution": false, "task": false}
check("MultiHeadAttention", MultiHeadAttention)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("MultiHeadAttention", MultiHeadAttention)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 5 · `head_widths`
# *choose · ●○○ · 5 minutes · 3 points*
#
# Which statements are true? Set the variable to all the letters that are.
#
# - **A** Eight heads that each give 64 numbers for a token give 512 numbers for it when concatenated.
# - **B** With `d_model = 8` and 4 heads, each head compares queries and keys of width 2.
# - **C** With `d_model = 8` and 4 heads, every head keeps all 8 features, so the concatenation is 32 wide.
# - **D** Going from 1 head to 4 makes `wq`, `wk` and `wv` four times as large.
# - **E** Before `dense`, no number of the merged tensor depends on more than one head's weights.
# - **F** The outputs of the heads are averaged, which keeps the width at `d_model`.

# %% nbgrader={"grade": false, "grade_id": "head_widths", "locked": false, "schema_version": 3, "solution": true, "task": false}
head_widths = ...
### BEGIN SOLUTION
head_widths = "ABE"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: ask your functions</summary>
#
# `split_heads(torch.zeros(1, 3, 8), 4).shape` answers B and C.
# </details>
#
# <details><summary>Hint 2: ask your module</summary>
#
# `MultiHeadAttention(8, 1).wq.weight.shape` and `MultiHeadAttention(8, 4).wq.weight.shape` answer D.
# </details>
#
# <details><summary>Hint 3: where heads meet</summary>
#
# In the picture of exercise 1, merging only moves numbers. Which step is the first to combine columns of different heads?
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_head_widths", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("head_widths", head_widths)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("head_widths", head_widths)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 6 · `parameter_count`
# *code · ●○○ · 5 minutes · 2 points*
#
# How many numbers does `MultiHeadAttention(d_model, num_heads)` learn? Write the formula as a function that returns a whole number, biases included. What is asked: several heads (1½), one head (½).


# %% nbgrader={"grade": false, "grade_id": "parameter_count", "locked": false, "schema_version": 3, "solution": true, "task": false}
def parameter_count(d_model, num_heads):
    """The number of weights and biases in MultiHeadAttention(d_model, num_heads)."""
    ### BEGIN SOLUTION
    one_layer = d_model * d_model + d_model
    return 4 * one_layer
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: which layers</summary>
#
# There are four `nn.Linear` layers, and `dense` is one of them.
# </details>
#
# <details><summary>Hint 2: one layer</summary>
#
# `nn.Linear(a, b)` has `a * b` weights and `b` biases. What are `a` and `b` here, and does `num_heads` change them?
# </details>
#
# <details><summary>Hint 3: count and compare</summary>
#
# `sum(p.numel() for p in MultiHeadAttention(8, 4).parameters())` counts them. Your formula must give the same.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_parameter_count", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("parameter_count", parameter_count)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("parameter_count", parameter_count)
### END HIDDEN TESTS

# %% [markdown]
# **Heads are free.** One often hears that more heads make a larger model. They do not: they cut the same matrices into more pieces.

# %%
for heads in (1, 2, 8, 64):
    counted = sum(p.numel() for p in MultiHeadAttention(512, heads).parameters())
    print(
        f"d_model = 512, {heads:2} heads of width {512 // heads:3}: {counted:,} by counting, {parameter_count(512, heads):,} by formula"
    )

# %% [markdown]
# **Try it.** Every head of a new module, before any training, looks at one sentence. Choose a query and see how the heads differ; make the queries longer; take fewer heads, or another random start.

# %%
explore_heads(MultiHeadAttention)

# %%
quiz("mask_for_all_heads")

# %% [markdown]
# ## 4 · The same numbers as PyTorch
#
# PyTorch has `nn.MultiheadAttention`. It computes what you wrote, but keeps its weights in other places:
#
# | PyTorch | shape | yours |
# |:--|:--|:--|
# | `in_proj_weight` | `(3d, d)`: the rows of $W_q$, then of $W_k$, then of $W_v$ | `wq.weight`, `wk.weight`, `wv.weight`, each `(d, d)` |
# | `in_proj_bias` | `(3d,)`, in the same order | `wq.bias`, `wk.bias`, `wv.bias` |
# | `out_proj.weight`, `out_proj.bias` | `(d, d)`, `(d,)` | `dense.weight`, `dense.bias` |
#
# If it was made with `bias=False`, both `in_proj_bias` and `out_proj.bias` are `None`; a bias of zero does the same.

# %% [markdown]
# ### Exercise 7 · `load_from_torch`
# *code · ●●○ · 10 minutes · 4 points*
#
# Copy all weights of `torch_mha` into `mha`, so that both give the same outputs. What is asked: every weight and bias in its place (2½), a PyTorch module without biases (1), copies rather than shared memory (½). `mha` may be any module with the four layers `wq`, `wk`, `wv`, `dense`, of fitting sizes. The `with` line is given: copying a weight is not something to differentiate through.


# %% nbgrader={"grade": false, "grade_id": "load_from_torch", "locked": false, "schema_version": 3, "solution": true, "task": false}
def load_from_torch(mha, torch_mha):
    """Copy the weights of an nn.MultiheadAttention into mha; returns nothing."""
    with torch.no_grad():
        ### BEGIN SOLUTION
        d = torch_mha.embed_dim
        bias, out_bias = torch_mha.in_proj_bias, torch_mha.out_proj.bias
        if bias is None:
            bias, out_bias = torch.zeros(3 * d), torch.zeros(d)
        for j, layer in enumerate((mha.wq, mha.wk, mha.wv)):
            layer.weight.copy_(torch_mha.in_proj_weight[j * d : (j + 1) * d])
            layer.bias.copy_(bias[j * d : (j + 1) * d])
        mha.dense.weight.copy_(torch_mha.out_proj.weight)
        mha.dense.bias.copy_(out_bias)
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: from where to where</summary>
#
# Numbers go from `torch_mha` to `mha`. Both store a matrix as `(out, in)`, as every `nn.Linear` does, so nothing has to be transposed.
# </details>
#
# <details><summary>Hint 2: three thirds, and the rest</summary>
#
# `torch_mha.in_proj_weight.chunk(3)` gives three `(d, d)` matrices: queries, keys, values. The biases are cut in the same way. Do not forget `out_proj`, which goes to `dense`.
# </details>
#
# <details><summary>Hint 3: copying</summary>
#
# `layer.weight.copy_(numbers)` writes numbers into a weight; `layer.bias.zero_()` writes zeros. `layer.weight.data = numbers` would make both modules use the same memory. Test for missing biases with `torch_mha.in_proj_bias is None`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_load_from_torch", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("load_from_torch", load_from_torch)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("load_from_torch", load_from_torch)
### END HIDDEN TESTS

# %% [markdown]
# The proof: your module with PyTorch's weights, on the same inputs. The two differences should be 0 or about $10^{-7}$, the rounding of float32. (PyTorch averages the weights over heads unless told otherwise.)

# %%
torch.manual_seed(0)
theirs = nn.MultiheadAttention(12, 3, batch_first=True)
nn.init.normal_(theirs.in_proj_bias)
ours = MultiHeadAttention(12, 3)
load_from_torch(ours, theirs)
query, memory = torch.randn(2, 4, 12), torch.randn(2, 5, 12)

output, weights = ours(query, memory, memory)
wanted, wanted_weights = theirs(query, memory, memory, average_attn_weights=False)
print(f"largest difference of the outputs: {(output - wanted).abs().max().item():.1e}")
print(f"largest difference of the weights: {(weights - wanted_weights).abs().max().item():.1e}")

# %%
quiz("where_the_keys_lie")

# %% [markdown]
# ## 5 · Heads made by hand
#
# What can a head do? Let us not train one but build it. Give every position a vector of its own, the simplest being a row of the identity matrix $I$ (position 2 of 4 is `[0, 0, 1, 0]`). Make **keys from positions**, and let the **query** of token $i$ be the position it wants to look at, times a large number $\beta$. Then the scores are $\beta$ at that position and 0 everywhere else, and
#
# $$\operatorname{softmax}(\beta, 0, 0, \dots) \;\longrightarrow\; (1, 0, 0, \dots) \qquad (\beta \to \infty)$$
#
# so the head fetches exactly one value: the tokens' contents play no part in *where* it looks, only in *what* it brings. For $\beta = 0$ all weights are equal and it averages everything.
#
# `scaled_dot_product_attention` divides scores by $\sqrt{d_k}$; with a $\beta$ of some thousands that makes no difference. In the next three exercises you return queries, keys and values, and the check runs `scaled_dot_product_attention` on them. It looks at the **weights** too, each of which must be within 0.001 of 0 or 1.

# %% [markdown]
# ### Exercise 8 · `identity_head`
# *code · ●●○ · 5 minutes · 1 point*
#
# Each token attends to itself: $y_i = x_i$, up to rounding, for any `x` of shape `(B, n, d)` with up to 32 tokens. Return `(q, k, v)`. What is graded: the weights are those of the identity matrix (½), the output is `x` (½). Tokens may be equal, or zero, so content is a bad guide.


# %% nbgrader={"grade": false, "grade_id": "identity_head", "locked": false, "schema_version": 3, "solution": true, "task": false}
def identity_head(x):
    """Attention that copies x (B, n, d).

    returns: q and k, (n, anything) or (B, n, anything), and v (B, n, d)
    """
    ### BEGIN SOLUTION
    places = torch.eye(x.shape[1])
    return 1e4 * places, places, x
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: what to compare</summary>
#
# Queries and keys come from positions, not from `x`. Only the values are `x`.
# </details>
#
# <details><summary>Hint 2: who looks where</summary>
#
# `torch.eye(n)` has one row for each position. Token $i$ should attend to position $i$: so which rows are the queries, and which are the keys?
# </details>
#
# <details><summary>Hint 3: sharp enough</summary>
#
# Multiply the queries by a large number, such as `1e4`, and return `queries, keys, x`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_identity_head", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("identity_head", identity_head)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("identity_head", identity_head)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 9 · `shift_head`
# *code · ●●○ · 10 minutes · 2 points*
#
# Each token attends to the one before it: $y_i = x_{i-1}$, and $y_0 = 0$, since there is nothing before the first. Return `(q, k, v)` again. What is graded: the weights (1), the output (½), x left unchanged (½). Weights always sum to 1, so the first query needs something to attend to: an extra row in front of `k` and `v`, whose value is zero, will do.


# %% nbgrader={"grade": false, "grade_id": "shift_head", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shift_head(x):
    """Attention that shifts x (B, n, d) by one, with zeros for the first token.

    returns: q with n rows, k and v with n + 1
    """
    ### BEGIN SOLUTION
    batch, n, d = x.shape
    values = torch.cat([torch.zeros(batch, 1, d), x], dim=1)  # place i + 1 holds token i
    places = torch.eye(n + 1)
    return 1e4 * places[:n], places, values
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: one step aside</summary>
#
# It is the identity head, but the query of token $i$ is the position of token $i-1$. Keys and values stay where they are.
# </details>
#
# <details><summary>Hint 2: something before the first</summary>
#
# Put a row of zeros in front: `torch.cat([torch.zeros(B, 1, d), x], dim=1)`. Now there are $n + 1$ places, and token $i$ stands at place $i + 1$. At which place stands the token *before* token $i$?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# There are $n + 1$ keys, the rows of `torch.eye(n + 1)`, and $n$ queries: the first $n$ of these rows, times a large number. If other tokens leak in, make it larger.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_shift_head", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("shift_head", shift_head)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("shift_head", shift_head)
### END HIDDEN TESTS

# %% [markdown]
# The weights of your two heads on five tokens. **What to see:** copying is a diagonal. In the second map the first key is the row of zeros, so the diagonal there means *one step back*.


# %%
def weights_of(head):
    """The attention weights of one sequence."""
    q, k, v = head
    weights = scaled_dot_product_attention(q, k, v)[1]
    return weights if weights.dim() == 2 else weights[0]


tokens = torch.randn(1, 5, 3)
plots.attention_maps({"identity_head": weights_of(identity_head(tokens)), "shift_head": weights_of(shift_head(tokens))})

# %% [markdown]
# **From heads to a convolution.** Merging heads and multiplying with $W_o$ is the same as giving each head its own rows of $W_o$ and **adding** the results:
#
# $$[\,Z_1 \;\; Z_2 \;\; Z_3\,]\;W_o \;=\; Z_1 W_o^{(1)} + Z_2 W_o^{(2)} + Z_3 W_o^{(3)}$$
#
# A convolution of width 3 is such a sum. With a kernel of shape `(d_out, d, 3)`, as `F.conv1d` stores it:
#
# $$y_i = K_0\,x_{i-1} + K_1\,x_i + K_2\,x_{i+1} \qquad K_o = \text{kernel}[:, :, o]$$
#
# One head looks back, one at itself, one ahead; each has a matrix of its own; and the results are added.

# %% [markdown]
# ### Exercise 10 · `convolution_head`
# *code · ●●● · 15 minutes · 4 points*
#
# Three heads that together are a convolution, with zeros beyond both ends. Return a list of three triples `(q, k, v)`, for the offsets −1, 0 and 1 in this order; the outputs of the three heads are added. What is graded: the weights of the heads (1½), their outputs, each its own part of `F.conv1d` with `padding=1` (1½), gradients that reach x and the kernel (½), arguments left unchanged (½). Not allowed: `F.conv1d` and `nn.Conv1d`. With tokens as rows, $K_o x_j$ is `x[j] @ kernel[:, :, o].T`.
#
# Each head has $n$ queries and $n$ keys. Where it needs them, `k` and `v` have an extra row in front or behind, or both, whose value is zero.


# %% nbgrader={"grade": false, "grade_id": "convolution_head", "locked": false, "schema_version": 3, "solution": true, "task": false}
def convolution_head(x, kernel):
    """A width-3 convolution made of attention: x (B, n, d), kernel (d_out, d, 3).

    returns: three heads (q, k, v), whose outputs (B, n, d_out) are added
    """
    ### BEGIN SOLUTION
    batch, n, d = x.shape
    border = torch.zeros(batch, 1, d)
    values = torch.cat([border, x, border], dim=1)  # place i + 1 holds token i
    places = torch.eye(n + 2)
    return [(1e4 * places[o : o + n], places, values @ kernel[:, :, o].T) for o in range(3)]
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: the ends</summary>
#
# Now tokens look both ways, so put a row of zeros in front of `x` **and** one behind it. There are $n + 2$ places, and token $i$ stands at place $i + 1$.
# </details>
#
# <details><summary>Hint 2: three heads</summary>
#
# Head $o$ (0, 1, 2) fetches token $i + o - 1$ for every $i$, which is at place $i + o$; so its queries are the rows `o` to `o + n - 1` of `torch.eye(n + 2)`. Its values are the padded tokens times its own `kernel[:, :, o].T`.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# A loop over `o` in `range(3)`: queries `1e4 * places[o : o + n]`, keys `places`, and the padded tokens times `kernel[:, :, o].T` as values; append the triple to a list. If other tokens leak in, make the queries larger.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_convolution_head", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("convolution_head", convolution_head)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("convolution_head", convolution_head)
### END HIDDEN TESTS

# %% [markdown]
# A whole convolution as one matrix: with the rows of the identity as tokens, the output is the map itself. The kernel here passes features through with the weights ¼, ½, ¼, a blur. **What to see:** three diagonals, one from each head, the same in every row. That is a convolution: where it looks depends on position alone. For this kernel one head would do, since ¼, ½ and ¼ are positive and sum to 1; for −1, 0, 1, which finds edges, it would not.

# %%
blur = torch.eye(6)[:, :, None] * torch.tensor([0.25, 0.5, 0.25])
outputs = [scaled_dot_product_attention(q, k, v)[0] for q, k, v in convolution_head(torch.eye(6)[None], blur)]
plots.attention_maps({"a blur, made of three heads": torch.stack(outputs).sum(0)[0]})

# %%
quiz("two_equal_winners")

# %% [markdown]
# ## 6 · What two heads can do and one cannot
#
# The weights of one head are positive, and all its values go through one matrix. So it can average its two neighbours, or pick one of them. Can it **subtract** one from the other?
#
# $$\text{target}_i \;=\; x_{i-1} - x_{i+1}$$
#
# (Positions go round in a circle here, so that there are no ends.) Below, your module learns this task from random examples: queries and keys are positions, values are the tokens. One head and two heads have equally many parameters. The error is given as the **share that remains**: the mean squared error divided by the mean square of the target. 1 is what always answering 0 would get, 0 is perfect.

# %%
n, d = 8, 8
where = torch.cat([torch.eye(n), torch.zeros(n, d)], dim=-1)  # a token's position, 16 features wide


def examples(count):
    x = torch.cat([torch.randn(count, n, d), torch.zeros(count, n, d)], dim=-1)
    return where.expand(count, -1, -1), x, x.roll(1, dims=1) - x.roll(-1, dims=1)


def train(num_heads, steps=300):
    """A trained module, and the share of the target that remains unexplained."""
    torch.manual_seed(0)
    module = MultiHeadAttention(2 * d, num_heads)
    optimizer = torch.optim.Adam(module.parameters(), lr=0.01)
    for _ in range(steps):
        positions, x, target = examples(32)
        loss = (module(positions, positions, x)[0] - target).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    positions, x, target = examples(500)
    error = (module(positions, positions, x)[0] - target).square().mean()
    return module, (error / target.square().mean()).item()


# %% [markdown]
# ### Exercise 11 · `two_heads_at_once`
# *experiment · ●●○ · 10 minutes · 3 points*
#
# Hand in three numbers:
# - `one_head` and `two_heads`: the fraction that remains after `train(1)` and `train(2)`, measured with your own module (¼ each, and 1½ for both together);
# - `best_one_head`: the smallest fraction that **any** single head could reach, however long it is trained (1). Think before you compute: the entries of $x_{i-1}$ and $x_{i+1}$ are independent, with mean 0 and variance 1.

# %% nbgrader={"grade": false, "grade_id": "two_heads_at_once", "locked": false, "schema_version": 3, "solution": true, "task": false}
two_heads_at_once = {"one_head": ..., "two_heads": ..., "best_one_head": ...}
### BEGIN SOLUTION
two_heads_at_once = {"one_head": train(1)[1], "two_heads": train(2)[1], "best_one_head": 0.5}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: running it</summary>
#
# `train` returns two things; the second is the share. Each run takes a second or so. Does it change much with more steps?
# </details>
#
# <details><summary>Hint 2: what one head can say</summary>
#
# Its output is $\sum_j a_{ij}\, M x_j$ with weights $a_{ij} \ge 0$ and one matrix $M$ for all of them (values and `dense` together). Look at one feature, where $M$ acts as a number $m$. If $m$ is positive, in which direction does $x_{i+1}$ enter, and in which should it?
# </details>
#
# <details><summary>Hint 3: the best compromise</summary>
#
# The weight on one of the two neighbours does only harm, so the best head ignores it and copies the other exactly. What remains is the variance of one neighbour, out of the variance of the target, $x_{i-1} - x_{i+1}$.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_two_heads_at_once", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("two_heads_at_once", two_heads_at_once)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("two_heads_at_once", two_heads_at_once)
### END HIDDEN TESTS

# %%
quiz("out_of_reach")

# %% [markdown]
# ## 7 · What each head looks at
#
# The maps that training found, from your own module. **What to see:** with two heads, the brightest cells are two shifted diagonals: one head looks ahead by one, the other back by one (with one cell in a corner, because positions go round). Nobody told them which side to take. Neither is sharp, and neither has to be: the pale background is the same in both maps, and subtracting makes it vanish.

# %%
positions, x, _ = examples(1)
_, found = train(2)[0](positions, positions, x)
plots.head_maps(found[0].detach(), title="Two heads, trained to subtract neighbours")

# %% [markdown]
# The single head cannot cancel anything, so it had to choose a side, and to be sharp about it. **What to see:** one diagonal, nearly 1, and almost no background.

# %%
_, found = train(1)[0](positions, positions, x)
plots.head_maps(found[0].detach(), title="One head, the same task")

# %% [markdown] nbgrader={"grade": false, "grade_id": "rubric_explain_heads_and_filters", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": true}
# ### Exercise 12 · `explain_heads_and_filters`
# *explain · ●●○ · 10 minutes · 4 points, graded by a person*
#
# In four to six sentences of your own, in the cell below: heads of attention are often compared with the filters (channels) of a convolutional layer. How are they alike? What is the difference in **where** each looks, and on what does that depend? And to what extent is a convolution a special case of attention? Use what you built in exercise 10 and measured in exercise 11.
#
# === BEGIN MARK SCHEME ===
#
# One point each for:
# - Alike: several run in parallel on the same input, each with weights of its own, each can specialise, and a later linear map combines them (side by side, then mixed).
# - A filter looks at a fixed neighbourhood, the same at every position and for every input; a head can look anywhere in the sequence.
# - A head's weights are computed from the input (queries and keys), positive and summing to 1; a filter's are learnt numbers of any sign, fixed after training.
# - A convolution of width w can be written as w heads whose queries and keys use positions alone (one for each offset, with a matrix of its own, added up); a single head cannot, as the subtraction shows.
#
# === END MARK SCHEME ===

# %% [markdown] nbgrader={"grade": true, "grade_id": "explain_heads_and_filters", "locked": false, "points": 4, "schema_version": 3, "solution": true, "task": false}
# Heads and filters are alike in that many of them work on the same input side by side, each with learnt weights of its own, so that each can specialise, and a linear map afterwards mixes what they found. A filter always looks at the same few neighbours, wherever it stands; a head may look at any token of the sequence. What a filter does with its neighbours is fixed after training and may have any sign, whereas the weights of a head are made anew from the queries and keys of each input, are positive and sum to 1. If queries and keys hold positions only and beta is large, a head fetches the token at one fixed offset; one head for each offset, each with its own matrix, added up, is exactly a convolution, as in exercise 10. One head alone is not enough: it could not even subtract two neighbours in exercise 11, where half of the target remained.

# %%
quiz("below_the_diagonal")

# %% [markdown]
# **Where you stand.** Run the checks above, then this cell: it says which of them pass and which points are still open.

# %%
progress("04")

# %% [markdown]
# ## What to take along
#
# | step | shape | beware of |
# |:--|:--|:--|
# | project | `(B, n, d)` | one layer for each role |
# | split | `(B, h, n, d/h)` | cut the features first, then swap; never reshape straight to it |
# | attend | `(B, h, n_q, n_k)` weights | scale with the width of a head, not of the model |
# | merge | `(B, n, d)` | swap back first, then glue |
# | `dense` | `(B, n, d)` | this is where heads meet |
#
# Two sentences to keep: *heads cost nothing, they share out what is there*; and *one head takes one weighted average, so whatever needs two different looks at once needs two heads*.
#
# Next, unit 05 hides the future with masks and stacks these parts into the blocks of a Transformer.
