# %% [markdown]
# # 02 · Softmax and scaling
#
# <!-- course map -->
#
# A softmax turns scores into shares: five numbers go in, five positive numbers that sum to 1 come out. It decides how sharply attention chooses, and how much can be learned from the choice. This unit takes it apart: its overflow, its derivative, the reason for $\sqrt{d_k}$, and the one dial, $\beta$, that turns it from an average into a lookup.
#
# **At the end you will be able to**
# - write a softmax that survives any score, and derive its gradient line by line;
# - say why scores are divided by $\sqrt{d_k}$, and not by $d_k$, nor by $\sqrt{d_{model}}$, nor after the softmax;
# - make attention copy one value or average them all;
# - refute three claims about attention that are often repeated, with numbers of your own.
#
# **Time:** about 125 minutes. **Points:** 45, in sixteen exercises, most of them short.
#
# **How an exercise works.** Replace `raise NotImplementedError()` (and every `...`) with your answer and run the cell; then run the check below it. Three hints, each stronger than the last, are folded under every exercise. What is graded is written above each exercise, nothing else counts.

# %%
import math

import torch

from course_lib import plots
from course_lib.checks import check
from course_lib.widgets import explore_softmax, progress, quiz

# %% [markdown]
# ## 1 · A softmax that does not overflow
#
# The formula has one line:
#
# $$y_i = \operatorname{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# On paper it works for every $x$. On a computer $e^{1000}$ is too large for any float, and so this happens:

# %%
large = torch.tensor([1000.0, 999.0, 998.0])
print("exp:        ", torch.exp(large).tolist())
print("exp / sum:  ", (torch.exp(large) / torch.exp(large).sum()).tolist())
print("what we want", torch.softmax(large, dim=0).tolist())

# %% [markdown]
# The way out: adding the same number $c$ to every score changes nothing, because $e^{c}$ stands above and below the line and cancels:
#
# $$\frac{e^{x_i + c}}{\sum_j e^{x_j + c}} = \frac{e^{c}\,e^{x_i}}{e^{c}\sum_j e^{x_j}} = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# So we are free to choose $c$. Which choice makes sure that no exponential overflows, and that not all of them vanish?

# %% [markdown]
# ### Exercise 1 · `softmax`
# *code · ●●○ · 10 minutes · 4 points*
#
# Write the softmax along any dimension `dim`. What is asked: the right numbers along `dim` (1½), finite results for scores up to ±1000 (1), a `dim` counted from the end, such as −2 (½), gradients that reach x (½), x left unchanged (½). Not allowed: any built-in softmax or log-softmax, because it is the exercise. Later exercises build on yours; should it not pass its check yet, use `torch.softmax` there, so that one mistake is paid for once.


# %% nbgrader={"grade": false, "grade_id": "softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(x, dim):
    """Shares along one dimension.

    x: any shape   dim: the dimension along which the result sums to 1
    returns: a tensor of the shape of x
    """
    ### BEGIN SOLUTION
    shifted = x - x.amax(dim=dim, keepdim=True)
    powers = torch.exp(shifted)
    return powers / powers.sum(dim=dim, keepdim=True)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: three lines</summary>
#
# Shift, exponentiate, divide. The sum runs along `dim`, and so does everything else; `keepdim=True` keeps the result broadcastable to `x`.
# </details>
#
# <details><summary>Hint 2: which shift</summary>
#
# If the largest score becomes 0, then no exponential exceeds 1, and at least one of them is exactly 1.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `x.amax(dim=dim, keepdim=True)` is the largest score along `dim`, one for each row. Subtract it from `x` (with `-`, not `-=`), take `torch.exp`, and divide by the sum along `dim`, again with `keepdim=True`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_softmax", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("softmax", softmax)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("softmax", softmax)
### END HIDDEN TESTS

# %% [markdown]
# **Practice.** After each section comes one question that counts for nothing. Choose an answer and read why it is right, or why not.

# %%
quiz("harmless_change")

# %% [markdown]
# ## 2 · Its derivative, line by line
#
# Training sends gradients back through the softmax. If score $x_j$ rises a little, how does output $y_i$ answer? Write $e_i = e^{x_i}$ and $S = \sum_k e_k$, so that $y_i = e_i / S$. Both parts may depend on $x_j$, hence the **quotient rule**:
#
# $$\left(\frac{u}{v}\right)' = \frac{u'\,v - u\,v'}{v^2} \qquad\text{with } u = e_i,\; v = S$$
#
# Two cases. If $i = j$, the numerator contains $x_j$. If $i \neq j$, it does not. The denominator always does, but in one term only.
#
# The derivation is a **ladder**: one small function for each line. The names in a line are symbols, as on paper: `e` holds all the $e_k$, `S` is their sum, `y` holds all the outputs, and `e[i]` is $e_i$.

# %% [markdown]
# ### Exercise 2 · `softmax_derivative`
# *derivation · ●●● · 18 minutes · 6 points*
#
# Each rung is a function of `e`, `S`, `y`, `i` and `j`. For example, $y_i$ itself would be `lambda e, S, y, i, j: e[i] / S`. Write:
#
# | rung | what | points |
# |:--|:--|--:|
# | `"u', i = j"` | $u' = \partial e_i / \partial x_i$ | ½ |
# | `"v'"` | $v' = \partial S / \partial x_j$ | ½ |
# | `"numerator, i = j"` | $u'v - u\,v'$ for $i = j$ | 1 |
# | `"quotient, i = j"` | the same over $v^2$: this is $\partial y_i / \partial x_i$ | 1 |
# | `"in y, i = j"` | the quotient again, with `y` only | ½ |
# | `"numerator, i ≠ j"` | $u'v - u\,v'$ for $i \neq j$ | ½ |
# | `"in y, i ≠ j"` | $\partial y_i / \partial x_j$, with `y` only | 1 |
# | `"softmax of beta x"` | a function of `e, S, y, i, j, beta`: $\partial y_i / \partial x_j$ for $y = \operatorname{softmax}(\beta x)$, for $i = j$ **and** $i \neq j$, with `y` only. Attention scales its scores, so this is the line it needs. | 1 |
#
# Lines that are not "in y" use `e` and `S`. The check gives `e`, `S` and `y` random values that have nothing to do with each other, so a line is right only in the form in which it is asked.

# %% nbgrader={"grade": false, "grade_id": "softmax_derivative", "locked": false, "schema_version": 3, "solution": true, "task": false}
softmax_derivative = {
    "u', i = j": ...,
    "v'": ...,
    "numerator, i = j": ...,
    "quotient, i = j": ...,
    "in y, i = j": ...,
    "numerator, i ≠ j": ...,
    "in y, i ≠ j": ...,
    "softmax of beta x": ...,
}
### BEGIN SOLUTION
softmax_derivative = {
    "u', i = j": lambda e, S, y, i, j: e[i],
    "v'": lambda e, S, y, i, j: e[j],
    "numerator, i = j": lambda e, S, y, i, j: e[i] * S - e[i] * e[i],
    "quotient, i = j": lambda e, S, y, i, j: (e[i] * S - e[i] * e[i]) / S**2,
    "in y, i = j": lambda e, S, y, i, j: y[i] * (1 - y[i]),
    "numerator, i ≠ j": lambda e, S, y, i, j: 0 * S - e[i] * e[j],
    "in y, i ≠ j": lambda e, S, y, i, j: -y[i] * y[j],
    "softmax of beta x": lambda e, S, y, i, j, beta: beta * y[i] * (float(i == j) - y[j]),
}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: the four pieces</summary>
#
# $u = e_i$: what is its derivative by $x_i$? By $x_j$, when $j$ is another index? $v = S$: which single term of the sum contains $x_j$? Put these pieces into $u'v - u\,v'$ as they are, in `e` and `S`.
# </details>
#
# <details><summary>Hint 2: after the quotient rule</summary>
#
# The numerator for $i = j$ has a common factor $e_i$. $S^2$ is $S \cdot S$: give one $S$ to each factor. $(S - e_i)/S$ is two fractions, and one of them is 1.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# For $i = j$: $u' = e_i$ and $v' = e_i$. For $i \neq j$: $u' = 0$ and $v' = e_j$. Put them into the rule, and mind its minus. For the last rung, $\beta x_j$ is an inner function: its derivative by $x_j$ is a factor that the chain rule brings to the front. One line for both cases needs a 1 that is there only if `i == j`: `float(i == j)`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_softmax_derivative", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("softmax_derivative", softmax_derivative)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("softmax_derivative", softmax_derivative)
### END HIDDEN TESTS

# %% [markdown]
# See for yourself. Nothing is derived below: each slope is measured by nudging one score a little. Here `e`, `S` and `y` belong to the same scores. Where your rung and the measured slope differ, the mistake is in that rung.


# %%
def measured_slope(f, x, j, step=1e-5):
    """How fast the number f(x) changes with score j."""
    nudge = torch.zeros_like(x)
    nudge[j] = step
    return (f(x + nudge) - f(x - nudge)) / (2 * step)


x_0, beta = torch.tensor([0.5, -1.0, 1.2], dtype=torch.float64), 2.0
powers = x_0.exp()
total, outputs = powers.sum(), torch.softmax(x_0, dim=0)
sharper = torch.softmax(beta * x_0, dim=0)


# %%
def y_0(x):
    return torch.softmax(x, dim=0)[0]


measured = {
    "u', i = j": (0, measured_slope(lambda x: x.exp()[0], x_0, 0)),
    "v'": (1, measured_slope(lambda x: x.exp().sum(), x_0, 1)),
    "numerator, i = j": (0, measured_slope(y_0, x_0, 0) * total**2),
    "quotient, i = j": (0, measured_slope(y_0, x_0, 0)),
    "in y, i = j": (0, measured_slope(y_0, x_0, 0)),
    "numerator, i ≠ j": (1, measured_slope(y_0, x_0, 1) * total**2),
    "in y, i ≠ j": (1, measured_slope(y_0, x_0, 1)),
    "softmax of beta x": (1, measured_slope(lambda x: y_0(beta * x), x_0, 1)),
}
for name, (j, slope) in measured.items():
    symbols = (powers, total, sharper, 0, j, beta) if "beta" in name else (powers, total, outputs, 0, j)
    print(f"{name:20} yours {float(softmax_derivative[name](*symbols)):+.4f}   measured {slope.item():+.4f}")

# %% [markdown]
# ### Exercise 3 · `softmax_jacobian`
# *code · ●●○ · 10 minutes · 3 points*
#
# All derivatives at once make a matrix, the **Jacobian**: $J_{ij} = \partial y_i / \partial x_j$. The two cases of your ladder fit into one line, with $\delta_{ij} = 1$ if $i = j$ and 0 otherwise:
#
# $$J_{ij} = y_i\,(\delta_{ij} - y_j)$$
#
# What is asked: $J$ for one vector of scores (2), float64 for float64 (½), x left unchanged (½). You may call your `softmax`. Not allowed: autograd.


# %% nbgrader={"grade": false, "grade_id": "softmax_jacobian", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax_jacobian(x):
    """J[i, j] is the derivative of softmax(x)[i] by x[j].

    x: (n,)
    returns: (n, n)
    """
    ### BEGIN SOLUTION
    shares = softmax(x, dim=0)
    return torch.diag(shares) - shares[:, None] * shares[None, :]
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: every pair</summary>
#
# Every output depends on every score, so $J$ has no zeros: something stands on the diagonal, and something else, negative, beside it.
# </details>
#
# <details><summary>Hint 2: multiply out</summary>
#
# $y_i(\delta_{ij} - y_j) = y_i\,\delta_{ij} - y_i\,y_j$. The first part is a matrix with $y$ on its diagonal. The second is the table of all products $y_i y_j$.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.diag(y)` puts a vector on a diagonal, `torch.outer(y, y)` is the table of products. Subtract.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_softmax_jacobian", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("softmax_jacobian", softmax_jacobian)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("softmax_jacobian", softmax_jacobian)
### END HIDDEN TESTS

# %% [markdown]
# Your Jacobian as a picture. **What to see:** the diagonal is positive and all the rest is negative: a score that rises lifts its own output and lowers every other. Each row and each column sums to 0, because the outputs always sum to 1. And the last score, far behind, hardly moves anything.

# %%
J = softmax_jacobian(torch.tensor([2.0, 1.0, 0.5, -1.0]))
print("sums of the rows:", [f"{total:.0e}" for total in J.sum(dim=1).abs().tolist()])
plots.jacobian_map("softmax at the scores 2, 1, 0.5, −1", J)

# %%
quiz("one_score_rises")

# %% [markdown]
# ## 3 · How large is a dot product?
#
# A score is a dot product, a sum of $d_k$ terms:
#
# $$s = q \cdot k = \sum_{m=1}^{d_k} q_m\,k_m$$
#
# Suppose all entries are independent with mean 0; those of $q$ have standard deviation $\sigma_q$, those of $k$ have $\sigma_k$. (Freshly initialised layers are close to this, with $\sigma = 1$.) Four facts about independent numbers $a$, $b$ and a constant $c$ are all you need:
#
# - $\operatorname{E}[a\,b] = \operatorname{E}[a]\,\operatorname{E}[b]$
# - $\operatorname{Var}(a) = \operatorname{E}[a^2] - \operatorname{E}[a]^2$, which is $\operatorname{E}[a^2]$ when the mean is 0
# - $\operatorname{Var}(a + b) = \operatorname{Var}(a) + \operatorname{Var}(b)$
# - $\operatorname{Var}(c\,a) = c^2\,\operatorname{Var}(a)$

# %% [markdown]
# ### Exercise 4 · `dot_product_variance`
# *derivation · ●●● · 15 minutes · 5 points*
#
# Each rung is a function of `sigma_q`, `sigma_k`, `d_k` and `d_model`, the width of the whole model. Not every rung needs all four. Write:
#
# 1. **mean of one term** (½): $\operatorname{E}[q_m k_m]$;
# 2. **variance of one term** (1): $\operatorname{Var}(q_m k_m)$;
# 3. **variance of the score** (1½): $\operatorname{Var}(q \cdot k)$;
# 4. **variance of score / √d_k** (1): what dividing the score by $\sqrt{d_k}$ makes of it;
# 5. **divisor that gives variance 1** (1): the number by which to divide the score instead, for any $\sigma_q$ and $\sigma_k$.

# %% nbgrader={"grade": false, "grade_id": "dot_product_variance", "locked": false, "schema_version": 3, "solution": true, "task": false}
dot_product_variance = {
    "mean of one term": ...,
    "variance of one term": ...,
    "variance of the score": ...,
    "variance of score / √d_k": ...,
    "divisor that gives variance 1": ...,
}
### BEGIN SOLUTION
dot_product_variance = {
    "mean of one term": lambda sigma_q, sigma_k, d_k, d_model: 0.0,
    "variance of one term": lambda sigma_q, sigma_k, d_k, d_model: sigma_q**2 * sigma_k**2,
    "variance of the score": lambda sigma_q, sigma_k, d_k, d_model: d_k * sigma_q**2 * sigma_k**2,
    "variance of score / √d_k": lambda sigma_q, sigma_k, d_k, d_model: d_k * sigma_q**2 * sigma_k**2 / d_k,
    "divisor that gives variance 1": lambda sigma_q, sigma_k, d_k, d_model: math.sqrt(d_k) * sigma_q * sigma_k,
}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: one term first</summary>
#
# The first fact gives the mean. For the variance apply the second fact to $a = q_m k_m$: what is $\operatorname{E}[q_m^2 k_m^2]$, when $q_m^2$ and $k_m^2$ are independent too?
# </details>
#
# <details><summary>Hint 2: then the sum</summary>
#
# $d_k$ independent terms, all with the same variance: the third fact, $d_k - 1$ times. Then the fourth fact with $c = 1/\sqrt{d_k}$: what is $c^2$?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# $\operatorname{E}[q_m^2] = \sigma_q^2$ because the mean is 0. One term has variance $\sigma_q^2 \sigma_k^2$, the score has $d_k$ times that. A number divided by its standard deviation has variance 1.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_dot_product_variance", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check("dot_product_variance", dot_product_variance)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("dot_product_variance", dot_product_variance)
### END HIDDEN TESTS

# %% [markdown]
# See for yourself: the same five quantities, measured on 200 000 random queries and keys. Small differences in the second digit are chance.

# %%
torch.manual_seed(1)
sigma_q, sigma_k, d_k, d_model = 0.5, 3.0, 16, 64
terms = sigma_q * torch.randn(200_000, d_k) * sigma_k * torch.randn(200_000, d_k)
dots = terms.sum(dim=-1)
measured = [terms.mean(), terms.var(), dots.var(), dots.div(d_k**0.5).var(), dots.std()]
for (name, rung), number in zip(dot_product_variance.items(), measured, strict=True):
    print(f"{name:30} yours {float(rung(sigma_q, sigma_k, d_k, d_model)):7.3f}   measured {number.item():7.3f}")

# %% [markdown]
# ### Exercise 5 · `measured_variance`
# *experiment · ●○○ · 5 minutes · 2 points*
#
# Your turn. For $d_k = 4$, 64 and 256, draw at least 10 000 queries and as many keys with `torch.randn` and take the score of each pair. Hand in the variance of the scores as they are (`raw`, 1½) and after dividing the scores by $\sqrt{d_k}$ (`scaled`, ½). Honest measurements differ by chance, so 15 % is tolerated; the numbers of the theory, to the last digit, are not a measurement.

# %% nbgrader={"grade": false, "grade_id": "measured_variance", "locked": false, "schema_version": 3, "solution": true, "task": false}
torch.manual_seed(2)
measured_variance = {
    "raw 4": ...,
    "raw 64": ...,
    "raw 256": ...,
    "scaled 4": ...,
    "scaled 64": ...,
    "scaled 256": ...,
}
### BEGIN SOLUTION
for width in (4, 64, 256):
    dots = (torch.randn(20_000, width) * torch.randn(20_000, width)).sum(dim=-1)
    measured_variance[f"raw {width}"] = dots.var().item()
    measured_variance[f"scaled {width}"] = (dots / math.sqrt(width)).var().item()
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: one width</summary>
#
# Two tensors of shape `(10_000, d_k)`: row number 7 of the first is a query, row number 7 of the second its key.
# </details>
#
# <details><summary>Hint 2: the scores</summary>
#
# Multiply the two tensors entry by entry and sum over the last dimension: 10 000 scores. A tensor has a method `var`.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `scores = (q * k).sum(dim=-1)`, then `scores.var().item()`; for the scaled ones divide `scores` by `math.sqrt(d_k)` first. Repeat for the three widths, in a loop or by hand.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_measured_variance", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("measured_variance", measured_variance)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("measured_variance", measured_variance)
### END HIDDEN TESTS

# %% [markdown]
# Your measurements as curves, both axes logarithmic. **What to see:** without the scale the variance grows in step with the width; with it, the width no longer matters. That is the whole purpose of the root.

# %%
widths = [4, 64, 256]
plots.curves(
    "Variance of a score, by width of the head",
    {
        "q · k": [float(measured_variance[f"raw {d}"]) for d in widths],
        "q · k / √d_k": [float(measured_variance[f"scaled {d}"]) for d in widths],
    },
    x=widths,
    x_label="d_k",
    y_label="variance",
    log_x=True,
    log_y=True,
)

# %% [markdown]
# ### Exercise 6 · `scaled_weights`
# *code · ●○○ · 5 minutes · 2 points*
#
# Put the scale to work. Queries and keys come for several heads at once; a model of width $d_{model}$ has heads of width $d_k = d_{model} / \text{heads}$. Write
#
# $$\text{weights} = \operatorname{softmax}\!\left(\frac{q\,k^\top}{\sqrt{d_k}}\right)$$
#
# with your own `softmax`, over the keys. What is asked: the weights (1½), arguments left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "scaled_weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scaled_weights(q, k):
    """How each query shares its attention among the keys, for each head.

    q: (heads, n_q, d_k)   k: (heads, n_k, d_k)
    returns: weights (heads, n_q, n_k)
    """
    ### BEGIN SOLUTION
    dots = q @ k.transpose(-2, -1)
    return softmax(dots / math.sqrt(q.shape[-1]), dim=-1)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: the order of things</summary>
#
# Three steps: scores, scale, softmax. Is the scale applied to scores or to weights?
# </details>
#
# <details><summary>Hint 2: which width</summary>
#
# Count the terms of **one** score: it is the sum over the last dimension of `q`, in one head.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Scores are `q @ k.transpose(-2, -1)`. Divide by `math.sqrt(q.shape[-1])`, then your `softmax` with `dim=-1`, so that each query's weights sum to 1.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_scaled_weights", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("scaled_weights", scaled_weights)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("scaled_weights", scaled_weights)
### END HIDDEN TESTS

# %% [markdown]
# Three random queries and five random keys, 256 numbers wide. **What to see:** without a scale each row has one winner that takes nearly everything, although the vectors are pure noise. Divided by $d_k$, all rows are alike, so attention is blind. Divided by $\sqrt{d_k}$, there are preferences, and room to change them. (Try other seeds: now and then two keys share a row of the first map, seldom more.)

# %%
torch.manual_seed(5)
q, k = torch.randn(1, 3, 256), torch.randn(1, 5, 256)
plots.attention_maps(
    {
        "no scale": softmax(q[0] @ k[0].T, dim=-1),
        "divided by d_k": softmax(q[0] @ k[0].T / 256, dim=-1),
        "yours": scaled_weights(q, k)[0],
    }
)

# %%
quiz("four_times_as_wide")

# %% [markdown]
# ## 4 · Saturation
#
# Why is a winner that takes everything so bad? Look at your rung “in y, i = j”: the winner's own slope is $y\,(1 - y)$. When $y$ is nearly 1, the slope is nearly 0, and so is every other entry of the Jacobian. The softmax is **saturated**: it goes on choosing, but no gradient comes back to tell it that it chose wrongly.
#
# Watch it with three scores $[a,\; a,\; 2a]$. As $a$ grows, nothing changes but the size of the scores, just as when a head gets wider and nobody divides.

# %% [markdown]
# ### Exercise 7 · `saturation`
# *code · ●○○ · 5 minutes · 2 points*
#
# For a number $a > 0$ return two numbers: the largest output of $\operatorname{softmax}([a, a, 2a])$, and the derivative of this output by **its own** score. What is asked: both numbers for moderate $a$ (1½) and near saturation (½). Floats or tensors of one entry, as you like.


# %% nbgrader={"grade": false, "grade_id": "saturation", "locked": false, "schema_version": 3, "solution": true, "task": false}
def saturation(a):
    """The largest output of softmax([a, a, 2a]), and its slope against its own score.

    a: a positive number
    returns: largest, gradient
    """
    ### BEGIN SOLUTION
    largest = softmax(torch.tensor([a, a, 2 * a]), dim=0)[2]
    return largest.item(), (largest * (1 - largest)).item()
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: which score wins</summary>
#
# For $a > 0$ the last score is the largest.
# </details>
#
# <details><summary>Hint 2: the slope is known</summary>
#
# It is the diagonal entry of the Jacobian that belongs to the winner: your rung “in y, i = j”.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `softmax(torch.tensor([a, a, 2 * a]), dim=0)[2]` is the largest output $y$; its slope is $y (1 - y)$. Return both, the output first.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_saturation", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("saturation", saturation)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("saturation", saturation)
### END HIDDEN TESTS

# %% [markdown]
# Your function as a curve. **What to see:** the output climbs towards 1 and stays there. The slope rises a little at first, and then dies away exponentially.

# %%
sizes = [step / 4 for step in range(41)]
pairs = [saturation(a) for a in sizes]
plots.curves(
    "softmax of [a, a, 2a]",
    {"largest output": [float(p[0]) for p in pairs], "its slope": [float(p[1]) for p in pairs]},
    x=sizes,
    x_label="a",
    y_label="output and slope",
)

# %% [markdown]
# ### Exercise 8 · `saturation_threshold`
# *experiment · ●○○ · 5 minutes · 2 points*
#
# How soon is it over? Use your `saturation` to find the **smallest** $a$ at which the gradient is below 0.001, to one decimal.

# %% nbgrader={"grade": false, "grade_id": "saturation_threshold", "locked": false, "schema_version": 3, "solution": true, "task": false}
saturation_threshold = ...
### BEGIN SOLUTION
saturation_threshold = min(step / 10 for step in range(1, 200) if saturation(step / 10)[1] < 1e-3)
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: look at the curve</summary>
#
# The slope is far below 0.1 at $a = 5$. Is it below 0.001?
# </details>
#
# <details><summary>Hint 2: try them all</summary>
#
# A loop over $a = 0.1, 0.2, 0.3, \dots$ that stops when the second number of `saturation(a)` is below `1e-3`.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Start with `a = 0.1` and write `while saturation(a)[1] >= 1e-3: a += 0.1`. When the loop ends, `a` is the answer, up to rounding.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_saturation_threshold", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("saturation_threshold", saturation_threshold)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("saturation_threshold", saturation_threshold)
### END HIDDEN TESTS

# %% [markdown]
# Now put the two halves together: the scores of a head with $d_k = 256$ have a standard deviation of $\sqrt{256} = 16$ if nobody divides them. Differences between scores are then about twice the $a$ you just found.

# %%
quiz("a_sure_winner")

# %% [markdown]
# ## 5 · One dial, from the mean to the winner
#
# Dividing by $\sqrt{d_k}$ is one choice of a more general dial: a factor $\beta$ on the scores.
#
# $$\operatorname{softargmax}_\beta(x) = \operatorname{softmax}(\beta\,x)$$
#
# Physicists know $1/\beta$ as the **temperature**. A large $\beta$ is a *low* temperature: everything freezes onto the winner. (One often reads "large $\beta$, large temperature"; it is the other way round.) Attention as in the paper is $\beta = 1/\sqrt{d_k}$.

# %% [markdown]
# ### Exercise 9 · `softargmax`
# *code · ●○○ · 5 minutes · 2 points*
#
# What is asked: the weights along `dim` (1), the last dimension if none is named (½), finite results for $\beta = 1000$ (½). You may call your `softmax`.


# %% nbgrader={"grade": false, "grade_id": "softargmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softargmax(x, beta, dim=-1):
    """softmax of beta x along dim: a distribution that is sharper for a larger beta."""
    ### BEGIN SOLUTION
    return softmax(beta * x, dim=dim)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: one line</summary>
#
# The formula is the function. Where does $\beta$ stand, inside or outside?
# </details>
#
# <details><summary>Hint 2: inside</summary>
#
# Scale first, then share out. Weights that are scaled afterwards would no longer sum to 1.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Call your `softmax` on `beta * x` and pass `dim` on. It subtracts the maximum, so a large `beta` does no harm.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_softargmax", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("softargmax", softargmax)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("softargmax", softargmax)
### END HIDDEN TESTS

# %% [markdown]
# ### The dial, drawn
#
# The scores 1, 2, 4, 2 under four settings of the dial, through your own function. **What to see:** from left to right the entropy, a measure of how spread the weights are, falls from 2 bits (four equal shares) to 0 (one winner). The slope of the winner is largest in the middle: that is where a softmax learns.

# %%
scores = torch.tensor([1.0, 2.0, 4.0, 2.0])
plots.weight_bars(
    "softargmax of the scores 1, 2, 4, 2",
    {f"beta = {beta:g}": softargmax(scores, beta) for beta in (0.0, 0.3, 1.0, 4.0)},
    names=["1", "2", "4", "2"],
)

# %% [markdown]
# **Try it.** One query, six keys, your `softmax`. Move β until the slope is at its highest; then make the head wider and see where the same β takes you, with and without the division by $\sqrt{d_k}$.

# %%
explore_softmax(softmax)

# %% [markdown]
# ### Exercise 10 · `softargmax_limits`
# *experiment · ●○○ · 5 minutes · 2 points*
#
# Guess first, then measure with your `softargmax`. Hand in the **largest weight** (two digits are enough) for
#
# - the scores 1, 2, 4, 2 with $\beta = 20$ and with $\beta = 0.001$ (1);
# - the scores 4, 4, 1, 2, where two are tied for the first place, with $\beta = 20$ (½);
# - the scores 1, 2, 4, 2 at the **temperature** 50 (½).

# %% nbgrader={"grade": false, "grade_id": "softargmax_limits", "locked": false, "schema_version": 3, "solution": true, "task": false}
softargmax_limits = {
    "beta = 20": ...,
    "beta = 0.001": ...,
    "tie, beta = 20": ...,
    "temperature = 50": ...,
}
### BEGIN SOLUTION
tied = torch.tensor([4.0, 4.0, 1.0, 2.0])
softargmax_limits = {
    "beta = 20": softargmax(scores, 20).max().item(),
    "beta = 0.001": softargmax(scores, 0.001).max().item(),
    "tie, beta = 20": softargmax(tied, 20).max().item(),
    "temperature = 50": softargmax(scores, 1 / 50).max().item(),
}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: the largest weight</summary>
#
# `softargmax(scores, 20)` gives four weights; `.max().item()` is the largest as a number.
# </details>
#
# <details><summary>Hint 2: a tie</summary>
#
# Equal scores have equal exponentials, whatever $\beta$ is. So how can they share?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# A temperature $T$ divides the scores, $\beta$ multiplies them: $\beta = 1/T$. Everything else is one call with the numbers given.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_softargmax_limits", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("softargmax_limits", softargmax_limits)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("softargmax_limits", softargmax_limits)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 11 · `beta_for_sharpness`
# *code · ●●● · 10 minutes · 3 points*
#
# Turn the question round: which $\beta$ gives the winner **exactly** the weight $p$? No formula solves this for more than two scores, but the winner's weight only ever rises with $\beta$, from $1/n$ towards 1. So we can find it by **bisection**: take a $\beta$ that is too small and one that is too large, try the middle, keep the half that holds the answer, and again.
#
# The largest score is unique, and $1/n < p < 1$. What is graded: $\beta$ to one part in a thousand (1½), also when scores are far apart and $\beta$ is small (½) and when they are close and it is large (½), scores left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "beta_for_sharpness", "locked": false, "schema_version": 3, "solution": true, "task": false}
def beta_for_sharpness(scores, p):
    """The beta at which the largest of the scores gets weight p.

    scores: (n,), with one largest   p: between 1/n and 1
    returns: beta, a number
    """
    ### BEGIN SOLUTION
    too_small, too_large = 0.0, 1.0
    while softargmax(scores, too_large).max() < p:
        too_large *= 2
    for _ in range(50):
        guess = (too_small + too_large) / 2
        if softargmax(scores, guess).max() < p:
            too_small = guess
        else:
            too_large = guess
    return too_large
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: all the scores</summary>
#
# A formula for the best two scores alone, or for an average of the others, gives the wrong $\beta$: every score takes some of the weight. Let `softargmax` do the counting.
# </details>
#
# <details><summary>Hint 2: two ends</summary>
#
# $\beta = 0$ is surely too small. For an end that is too large, start with 1 and double it until the winner's weight is above $p$.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Call the two ends `low` and `high`, and repeat 50 times: `middle` is half-way between them; if the largest of `softargmax(scores, middle)` is below `p`, then `low = middle`, else `high = middle`. Return `high`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_beta_for_sharpness", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("beta_for_sharpness", beta_for_sharpness)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("beta_for_sharpness", beta_for_sharpness)
### END HIDDEN TESTS

# %% [markdown]
# With it you can measure why $1/\sqrt{d_k}$ is so convenient. For eight random keys, the cell below finds the $\beta$ at which the winner gets half of the weight, for narrow and wide heads. **What to see:** the $\beta$ that is needed falls with the width, and always by the same rule: $\beta\sqrt{d_k}$ stays about the same. With the root built in, one setting suits every width.

# %%
torch.manual_seed(4)
for width in (4, 16, 64, 256):
    dots = (torch.randn(200, 8, width) * torch.randn(200, 1, width)).sum(dim=-1)
    betas = torch.tensor([float(beta_for_sharpness(row, 0.5)) for row in dots])
    print(f"d_k = {width:3}   beta = {betas.median():.3f}   beta · √d_k = {betas.median() * width**0.5:.2f}")

# %% [markdown]
# ### Exercise 12 · `why_divide_by_root`
# *choose · ●●○ · 5 minutes · 3 points*
#
# Which statements are true? Set the variable to all the letters that are. A true statement found counts for you, a false one chosen against you.
#
# - **A** If the entries of $q$ and $k$ have mean 0 and variance 1, then $q \cdot k$ has variance $d_k$, and $q \cdot k / \sqrt{d_k}$ has variance 1.
# - **B** Dividing by $d_k$ instead does the same job, only more thoroughly.
# - **C** With entries of variance 1 and without the scale, the softmax of a wide head is saturated at the start of training, and its gradients nearly vanish.
# - **D** It makes no difference whether the scores or the weights are divided by $\sqrt{d_k}$.
# - **E** With $d_{model} = 512$ and 8 heads of width 64, the divisor is $\sqrt{512}$.
# - **F** $1/\sqrt{d_k}$ is a $\beta$, the inverse of a temperature: doubling it makes the weights sharper.

# %% nbgrader={"grade": false, "grade_id": "why_divide_by_root", "locked": false, "schema_version": 3, "solution": true, "task": false}
why_divide_by_root = ...
### BEGIN SOLUTION
why_divide_by_root = "ACF"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: use your ladders</summary>
#
# Rungs 3 and 4 of `dot_product_variance` speak about A, B and E.
# </details>
#
# <details><summary>Hint 2: use the maps</summary>
#
# The three maps after exercise 6 show what B and C come to.
# </details>
#
# <details><summary>Hint 3: what weights must do</summary>
#
# What do the weights of one query sum to, if they are divided by $\sqrt{d_k}$ afterwards? And was the softmax less saturated for it?
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_why_divide_by_root", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("why_divide_by_root", why_divide_by_root)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("why_divide_by_root", why_divide_by_root)
### END HIDDEN TESTS

# %%
quiz("twice_as_hot")

# %% [markdown]
# ## 6 · Copy or mix
#
# One query $q$ of width $d$, keys of shape `(n, d)`, values of shape `(n, t)`. Attention gives
#
# $$h = \sum_i w_i\,v_i \qquad w = \operatorname{softargmax}_\beta(K q)$$
#
# Suppose $\beta$ is fixed, and so are keys and values: all you may change is the **length** of the query. That is enough to turn attention into a lookup, or into a plain average, because $\beta\,(c\,q) \cdot k = (\beta c)\,q \cdot k$: a longer query is a larger $\beta$. A trained network has exactly this freedom, in the size of its weights.

# %% [markdown]
# ### Exercise 13 · `preserve`
# *code · ●●○ · 5 minutes · 2 points*
#
# Make the query so long that attention copies the value of its best key, the one with the largest score, and return the output **and** the weights. The best key must get a weight of at least 0.99, and at most 0.9999, so that your factor on the query can still be read off the other weights. What is graded: weights and output (1), also when several other keys have the same score (½), arguments left unchanged (½). There are 3 to 10 keys, one of them is best, and its weight is below 0.9 before you begin. Results are compared in float64.


# %% nbgrader={"grade": false, "grade_id": "preserve", "locked": false, "schema_version": 3, "solution": true, "task": false}
def preserve(values, keys, query, beta):
    """Attention with a query made so long that one value comes through alone.

    values: (n, t)   keys: (n, d)   query: (d,)   beta: a positive number
    returns: output (t,), weights (n,)
    """
    ### BEGIN SOLUTION
    factor = beta_for_sharpness(beta * keys @ query, 0.999)
    long_query = factor * query
    weights = softargmax(keys @ long_query, beta)
    return weights @ values, weights
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: plain attention first</summary>
#
# Three steps: scores `keys @ query`, weights by your `softargmax`, output `weights @ values`. Then change one thing, the length of the query: the scores of all keys grow by the same factor.
# </details>
#
# <details><summary>Hint 2: which value</summary>
#
# The winner is decided by the scores, not by the length of a key nor by its place. A positive factor on the query changes no order.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# No fixed factor fits every query. Let your `beta_for_sharpness(beta * keys @ query, 0.999)` find one, and multiply `query` by it; or make the query a little longer in a loop, by 5 % for example, until the largest weight is above 0.99.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_preserve", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("preserve", preserve)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("preserve", preserve)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 14 · `dilute`
# *code · ●○○ · 5 minutes · 2 points*
#
# Now the opposite: choose the query's length so that attention averages all the values, each with the same weight, whatever the keys are. Return the output **and** the weights, each within 0.001 of $1/n$. What is graded: weights and output (1), also when several keys have the same score (½), arguments left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "dilute", "locked": false, "schema_version": 3, "solution": true, "task": false}
def dilute(values, keys, query, beta):
    """Attention with a query that prefers no key: the mean of the values.

    values: (n, t)   keys: (n, d)   query: (d,)   beta: a positive number
    returns: output (t,), weights (n,)
    """
    ### BEGIN SOLUTION
    no_query = torch.zeros_like(query)
    weights = softargmax(keys @ no_query, beta)
    return weights @ values, weights
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: equal weights</summary>
#
# When are all the weights of a softmax equal? What does that ask of the scores?
# </details>
#
# <details><summary>Hint 2: equal scores</summary>
#
# A query that has the same dot product with **every** vector: there is only one.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Replace the query by zeros, `torch.zeros_like(query)`, do the rest as in plain attention, and return both the output and the weights.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_dilute", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("dilute", dilute)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("dilute", dilute)
### END HIDDEN TESTS

# %% [markdown]
# Between the two ends lies everything else. One set of keys and values, a query that gets longer and longer. **What to see:** on the left the output is the mean of the values, on the right it is the best key's value, and most of the change happens within two powers of ten.

# %%
torch.manual_seed(3)
values, keys, query = torch.tensor([[0.0], [1.0], [4.0]]), torch.randn(3, 4), torch.randn(4)
lengths = [10 ** (step / 8) for step in range(-16, 17)]
plots.curves(
    "Output of attention, by length of the query",
    {"output": [(softargmax(keys @ (c * query), 0.5) @ values).item() for c in lengths]},
    x=lengths,
    x_label="factor on the query",
    y_label="output",
    log_x=True,
    levels={
        "dilute": dilute(values, keys, query, 0.5)[0].item(),
        "preserve": preserve(values, keys, query, 0.5)[0].item(),
    },
)

# %%
quiz("twice_the_query")

# %% [markdown]
# ## 7 · Move one key, move one query
#
# Five queries look at four keys. What happens to the outputs and to the matrix $A$ of weights when a single key moves a little? And when a single query does? One often reads that "key $i$ belongs to row $i$ of $A$, so only that row changes". Measure it:

# %%
torch.manual_seed(6)
Q, K, V = torch.randn(5, 3), torch.randn(4, 3), torch.randn(4, 2)


def attend(queries, keys):
    weights = softargmax(queries @ keys.T, 1 / math.sqrt(3))
    return weights @ V, weights


def moved(before, after):
    """True for each number that has changed."""
    return (before - after).abs() > 1e-6


# %% [markdown]
# ### Exercise 15 · `what_moves`
# *experiment · ●●○ · 10 minutes · 3 points*
#
# Add 0.1 to every entry of key 1, call `attend` before and after, and count: how many of the 5 **outputs** (rows) have moved, and how many of the 20 **weights**? (1) Then do the same with query 1 instead (1). The last point is for all four numbers together.

# %% nbgrader={"grade": false, "grade_id": "what_moves", "locked": false, "schema_version": 3, "solution": true, "task": false}
what_moves = {
    "outputs, one key": ...,
    "weights, one key": ...,
    "outputs, one query": ...,
    "weights, one query": ...,
}
### BEGIN SOLUTION
other_K, other_Q = K.clone(), Q.clone()
other_K[1] += 0.1
other_Q[1] += 0.1
for name, other in (("key", attend(Q, other_K)), ("query", attend(other_Q, K))):
    outputs_moved, weights_moved = (moved(one, two) for one, two in zip(attend(Q, K), other, strict=True))
    what_moves[f"outputs, one {name}"] = outputs_moved.any(dim=1).sum().item()
    what_moves[f"weights, one {name}"] = weights_moved.sum().item()
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: a copy to move</summary>
#
# `K_moved = K.clone()` and then `K_moved[1] += 0.1`; without `clone` you would move `K` itself.
# </details>
#
# <details><summary>Hint 2: count</summary>
#
# `moved(before, after)` is a table of True and False. `.sum()` counts the True ones; `.any(dim=1)` says for each row whether anything in it has moved.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `out, weights = attend(Q, K)` and `out_2, weights_2 = attend(Q, K_moved)`. Then `moved(out, out_2).any(dim=1).sum()` counts outputs, `moved(weights, weights_2).sum()` counts weights. Again with a moved query.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_what_moves", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("what_moves", what_moves)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("what_moves", what_moves)
### END HIDDEN TESTS

# %% [markdown]
# **Why.** Query $j$ makes row $j$ of $A$ and nothing else, so moving it moves one output. A key is looked at by *every* query: its column changes, and because each row must still sum to 1, all the other weights change too.
#
# **A claim to correct.** "Noise on a key does no harm on average: if its mean is 0, the expected output stays the same." That would be true if attention were linear in the keys. Test it with the simplest noise of all, $+\varepsilon$ or $-\varepsilon$ by the toss of a coin: the expected output is the mean of two calls.

# %%
noise = torch.tensor([1.0, -1.0, 0.5])
steps = [0.01, 0.03, 0.1, 0.3, 1.0]
shifts, biases = [], []
for step in steps:
    up, down = K.clone().double(), K.clone().double()
    up[1] += step * noise
    down[1] -= step * noise
    clean, plus, minus = (softargmax(Q.double() @ keys.T, 3**-0.5) @ V.double() for keys in (K.double(), up, down))
    shifts.append((plus - clean).norm().item())
    biases.append(((plus + minus) / 2 - clean).norm().item())
plots.curves(
    "What noise on one key does to the outputs",
    {"one toss": shifts, "mean of both": biases},
    x=steps,
    x_label="size of the noise",
    y_label="change of the outputs",
    log_x=True,
    log_y=True,
)

# %% [markdown]
# **What to see:** a single toss shifts the outputs in proportion to the noise. In the mean most of that cancels, but not all: a bias remains, and it grows with the *square* of the noise (twice the noise, four times the bias: the dashed line is twice as steep). So the claim holds to first order only.

# %%
for step, shift, bias in zip(steps, shifts, biases, strict=True):
    print(f"noise {step:.2f}   one toss {shift:.5f}   bias {bias:.6f}   bias / noise² {bias / step**2:.3f}")

# %% [markdown]
# ### Exercise 16 · `scaling_a_key_can_lower_its_weight`
# *counterexample · ●●○ · 5 minutes · 2 points*
#
# "A longer key shouts louder: scale it up, and every query gives it more weight." Refute it. Hand in queries `Q` and keys `K`, two tensors of the same shape `(n, d)`, and the numbers of one query and one key. The grader doubles that key; the weight $\operatorname{softmax}(Q K^\top / \sqrt{d})$ of your query on it must **fall**.

# %% nbgrader={"grade": false, "grade_id": "scaling_a_key_can_lower_its_weight", "locked": false, "schema_version": 3, "solution": true, "task": false}
scaling_a_key_can_lower_its_weight = (..., ..., ..., ...)  # Q, K, query, key
### BEGIN SOLUTION
scaling_a_key_can_lower_its_weight = (torch.tensor([[1.0], [2.0]]), torch.tensor([[-0.5], [1.0]]), 0, 0)
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: what doubling does</summary>
#
# If the score of the query against the key is $s$, it is $2s$ after doubling. For which $s$ is $2s$ smaller than $s$?
# </details>
#
# <details><summary>Hint 2: a direction</summary>
#
# The dot product is negative when two vectors point away from each other. One number each will do, $d = 1$.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Two keys at least, so that there is somewhere for the weight to go. A query of `[[1.0], …]` and a key that is a negative number have a negative score.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_scaling_a_key_can_lower_its_weight", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("scaling_a_key_can_lower_its_weight", scaling_a_key_can_lower_its_weight)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("scaling_a_key_can_lower_its_weight", scaling_a_key_can_lower_its_weight)
### END HIDDEN TESTS

# %% [markdown]
# See for yourself, with your own tensors: the weight on your key while it is scaled by 0 up to 4, and the same for a key that points the other way. **What to see:** at factor 0 both curves meet. From there one key gains weight with your query, and the other loses it. What a longer key amplifies is the score it has, agreement or disagreement.

# %%
Q_own, K_own, own_query, own_key = scaling_a_key_can_lower_its_weight


def weight_at(factor, sign):
    dots = K_own.double() @ Q_own[own_query].double()
    dots[own_key] *= sign * factor
    return softargmax(dots, Q_own.shape[1] ** -0.5)[own_key].item()


factors = [step / 10 for step in range(41)]
plots.curves(
    "Weight of the key, while it is scaled",
    {"your key": [weight_at(f, 1) for f in factors], "turned round": [weight_at(f, -1) for f in factors]},
    x=factors,
    x_label="factor on the key",
    y_label="weight",
)

# %%
quiz("orthogonal_move")

# %% [markdown]
# **Where you stand.** Run the checks above, then this cell: it says which of them pass and which points are still open.

# %%
progress("02")

# %% [markdown]
# ## What to take along
#
# | | in a formula | in words |
# |:--|:--|:--|
# | softmax | $e^{x_i} / \sum_j e^{x_j}$ | shift by the maximum first, it costs nothing |
# | its derivative | $y_i\,(\delta_{ij} - y_j)$ | lifts its own, lowers all others, dies when saturated |
# | a score | variance $d_k\,\sigma_q^2\,\sigma_k^2$ | hence divide by $\sqrt{d_k}$: scores, not weights |
# | the dial | $\operatorname{softmax}(\beta x)$ | $\beta \to 0$: mean; $\beta \to \infty$: winner; $\beta$ is 1/temperature |
#
# Two sentences to keep: *a softmax learns where it is undecided*; and *a query moves its own output, a key moves everyone's*.
#
# Next, unit 03 asks how a model that treats its tokens as a set can know their order.
