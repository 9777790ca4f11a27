# %% [markdown]
# # 00 · Start here
#
# <!-- course map -->
#
# Welcome! In this course you build a Transformer, the machine behind today's language models, out of parts small enough to hold in your head. You write each part yourself, and every part tells you at once whether it works. You need some Python, and you should have seen a matrix product before. Everything else you will meet on the way.
#
# This first notebook shows you around. Nothing in it is hard, and nothing you do can break it.
#
# **At the end you will be able to**
# - work with these notebooks: cells, checks, hints, handing in;
# - read a failing check, and use what it tells you;
# - say the shape of a matrix product before you run it;
# - say in a sentence what a Transformer does, and what its two new parts are for.
#
# **Time:** about 20 minutes. **Points:** 10, in five exercises.

# %% [markdown]
# ## 1 · Is everything here?
#
# A notebook is made of **cells**: some hold text, like this one, others hold code. Click on a code cell and press **Shift + Enter** to run it; its result appears below. Cells share their memory, so run them from top to bottom.
#
# The first cell is for Google Colab and does nothing on your own computer. The second checks that your computer has what the course needs, and says what to do if something is missing. Keep the folder `course_lib` that came with this notebook right beside it: the checks and the pictures live there.

# %%
try:
    from course_lib.environment import look_around
except ModuleNotFoundError:
    print("course_lib is not here: put the folder of that name beside this notebook, then run this cell again.")
    raise

look_around()

import torch

from course_lib import plots
from course_lib.checks import CheckFailed, check
from course_lib.tasks.toy_words import embed
from course_lib.widgets import explore_outer, progress, quiz, shape_form

# %% [markdown]
# **If you get lost** later on (a variable has a strange value, a cell does not come back), choose *Kernel → Restart Kernel* in the menu and run the cells again from the top. What you have written stays; only the memory is cleared.

# %% [markdown]
# **Practice.** After each section comes one question that counts for nothing. Choose an answer and read why it is right, or why not.

# %%
quiz("run_or_saved")

# %% [markdown]
# ## 2 · A check that fails, on purpose
#
# You will see many failing checks. That is no disgrace: it is how this course talks to you. So let us look at one before it is about your own work.
#
# Take two vectors. Their **outer product** is a multiplication table: every number of the first times every number of the second. Now take a whole *batch* of such pairs, one pair in each row of `a` and `b`, and make one table for each:
#
# $$c_{kij} = a_{ki}\; b_{kj}$$
#
# Here is someone's hasty attempt. It looks reasonable, it runs, and it is wrong. Run the cell and read what the check says.


# %%
def hasty_outer(a, b):
    return a.T @ b


try:
    check("batched_outer", hasty_outer)
except CheckFailed as failed:
    print(failed)

# %% [markdown]
# Read it from top to bottom:
#
# - **✗** in front of a line names a thing that is not right yet; **✓** marks what is right on the inputs that were tried. A third sign, **○**, marks an answer that this check cannot judge: it is graded after you submit.
# - Below it stands **what came back and what was expected**. Here a whole dimension is missing, the one of the batch.
# - **→** is a diagnosis. The check knows the mistakes that people really make, compares your result with theirs, and names yours if it finds it. It also says which hint helps.
#
# Now it is your turn, with the same exercise. The rhythm is the same in the whole course: **read, write, check, look at the picture**.

# %% [markdown]
# ### Exercise 1 · `batched_outer`
# *code · ●○○ · 5 minutes · 2 points*
#
# First run the next cell as it is, and then the check, two cells below it, to see what it says about an empty answer. Now replace `raise NotImplementedError()` with your code, **run the cell again** (the check sees only what has been run), and run the check. What is asked: the tables (1½), and arguments that are left unchanged (½).
#
# Stuck? Three hints are folded under every exercise, each stronger than the last. Opening them costs nothing.


# %% nbgrader={"grade": false, "grade_id": "batched_outer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def batched_outer(a, b):
    """A multiplication table for each row of a batch: c[k, i, j] = a[k, i] * b[k, j].

    a: (batch, n)   b: (batch, m)
    returns: c (batch, n, m)
    """
    ### BEGIN SOLUTION
    return a[:, :, None] * b[:, None, :]
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: one table first</summary>
#
# Forget the batch for a moment. For one row, `torch.outer(a[k], b[k])` is the table you want. There are as many tables as rows; a loop that collects them, and `torch.stack` to pile them up, is a perfectly good answer.
# </details>
#
# <details><summary>Hint 2: without a loop</summary>
#
# When two tensors are multiplied with `*`, a dimension of size 1 is stretched to fit the other tensor. So a tensor of shape `(batch, n, 1)` times one of shape `(batch, 1, m)` has shape `(batch, n, m)`. Which numbers meet at place `[k, i, j]`?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `a[:, :, None]` has shape `(batch, n, 1)`: `None` makes a new dimension of size 1 where it stands. Where does `b` need one?
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_batched_outer", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("batched_outer", batched_outer)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("batched_outer", batched_outer)
### END HIDDEN TESTS

# %% [markdown]
# ### Your function as a picture
#
# Two pairs of vectors, and the two tables that *your* function makes of them. **What to see:** every entry is the number on its left times the number below it, and the second table knows nothing of the first. Change some numbers in `a` and `b` and run the cell again.

# %%
a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
b = torch.tensor([[1.0, 2.0, 3.0, 4.0], [-1.0, 0.0, 1.0, 2.0]])

plots.outer_tables(a, b, batched_outer(a, b))

# %% [markdown]
# **Try it.** Type other numbers into the two fields; the table below them is made by your function at every key.

# %%
explore_outer(batched_outer)

# %%
quiz("stretched_sizes")

# %% [markdown]
# ## 3 · Shapes first
#
# Many mistakes in deep learning are mistakes of shape, and those you can find with a pencil. One rule does nearly all of the work. In a product `A @ B` the **inner** dimensions must agree and disappear, the **outer** ones stay, and everything in front of the last two (the batch) rides along:
#
# $$(\dots, i, k)\;@\;(\dots, k, j) \;\to\; (\dots, i, j)$$
#
# In this course a token (a word, or a piece of one) is a **row** of numbers. $X$ has shape `(B, n, d)`: a batch of `B` sequences, each with `n` tokens, each token with `d` features. $Y$ is another batch, with `m` tokens in each sequence: `(B, m, d)`. A transpose, as in $Y^\top$, swaps the last two dimensions.

# %% [markdown]
# ### Exercise 2 · `matmul_shapes`
# *shapes · ●○○ · 5 minutes · 2 points*
#
# Here are four products. They are small relatives of what attention will do in unit 01:
#
# $$P = X W \qquad G = P P^\top \qquad S = X Y^\top \qquad R = S\,Y$$
#
# The weight $W$ takes tokens of `d` features to tokens of `d_k` features, and all sequences share it. Fill in the **shape sheet**: for each tensor a string of dimension names with spaces between them, such as `"B n d"`. The names in use are `B`, `n`, `m`, `d` and `d_k`. Each of the five shapes counts 0.4 points.
#
# When an answer is a value, as here, put it in place of every `...` and delete the line `raise NotImplementedError()`.

# %% [markdown]
# Would you rather fill in a **form**? Type a shape beside each name: it is checked against the others as you type. The button writes the sheet as Python, to copy into the answer cell below, which is what counts.

# %%
shape_form("matmul_shapes")

# %% nbgrader={"grade": false, "grade_id": "matmul_shapes", "locked": false, "schema_version": 3, "solution": true, "task": false}
matmul_shapes = {
    "W": ...,
    "P": ...,
    "G": ...,
    "S": ...,
    "R": ...,
}
### BEGIN SOLUTION
matmul_shapes = {
    "W": "d d_k",
    "P": "B n d_k",
    "G": "B n n",
    "S": "B n m",
    "R": "B n d",
}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: where to begin</summary>
#
# Begin with W. It stands to the right of X, so its first dimension meets the last one of X. What must come out at its other end? And does a weight that all sequences share need a `B`?
# </details>
#
# <details><summary>Hint 2: transposes</summary>
#
# Write the transposed shapes down before you multiply: if P is `(B, n, d_k)`, then Pᵀ is `(B, d_k, n)`. Now apply the rule above to G, and in the same way to S.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# S has a row for each token of X and a column for each token of Y. In `S @ Y` the tokens of Y are the inner dimension, so they disappear. What is left of S, and what is left of Y?
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_matmul_shapes", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("matmul_shapes", matmul_shapes)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("matmul_shapes", matmul_shapes)
### END HIDDEN TESTS

# %% [markdown]
# The same sheet as a picture. **What to see:** follow the arrows and watch the inner dimension vanish at each product. A shape that does not follow from its inputs gets a dashed frame, with a question below; put a wrong one into your sheet to see it.

# %%
plots.matmul_diagram(matmul_shapes)

# %%
quiz("shared_weight")

# %% [markdown]
# ## 4 · The machine from far away
#
# In 2017 a paper with the title *Attention Is All You Need* introduced the Transformer, to translate sentences. It has two halves. The **encoder** reads the source sentence, all tokens at the same time, and turns it into the *memory*: one vector for each token, which no longer stands for the word alone but for the word in its sentence. Nobody ever says what these vectors mean; they are *latent*, made for the decoder to use. The **decoder** looks at this memory and at the target tokens written so far, and gives every word of the vocabulary a score for being the next one. Each half is a stack of equal **blocks**, six in the paper, and all their weights are learned from examples.

# %%
plots.transformer_overview()

# %% [markdown]
# **What to see:** boxes are tensors, arrows are what is done to them. Tokens go in as whole numbers, so `source` has no `d`. The memory has one row for each *source* token, the scores have one for each *target* token: somewhere in the decoder the two sequences meet. That place is unit 01.

# %% [markdown]
# ### Exercise 3 · `original_transformer`
# *choose · ●○○ · 3 minutes · 2 points*
#
# Which of these statements about the Transformer of 2017 are true? Set the variable to all the letters that are, for example `"AD"`. A true statement found counts for you, a false one chosen counts against you. The check answers with **○** and your letters: it can't say whether they are right without giving the answer away. Whether they are, and why, you learn when your work is graded.
#
# - **A** It always consists of exactly one encoder block and one decoder block.
# - **B** It is a neural network.
# - **C** The encoder turns the source sentence into a latent representation.
# - **D** The encoder reads the source one token after the other, and carries a summary along.
# - **E** The decoder produces the tokens of the target from what the encoder made.

# %% nbgrader={"grade": false, "grade_id": "original_transformer", "locked": false, "schema_version": 3, "solution": true, "task": false}
original_transformer = ...
### BEGIN SOLUTION
original_transformer = "BCE"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: look above</summary>
#
# Four of the five are answered in the paragraph above the picture, in other words. Which half does which job?
# </details>
#
# <details><summary>Hint 2: one or many</summary>
#
# A stack of *equal blocks*: does that fit to “exactly one”? And *at the same time*: does that fit to “one after the other”?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Three statements are true. The two false ones are about how many blocks there are, and about the order of reading.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_original_transformer", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("original_transformer", original_transformer)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("original_transformer", original_transformer)
### END HIDDEN TESTS

# %% [markdown]
# ### Does order matter?
#
# Attention, at its simplest, replaces every token by a weighted average of all tokens; a softmax makes weights that sum to 1 out of scores. Below, two sentences have the same four words in another order: one states, the other asks. **What to see:** first, *dog* comes out the same in both, although the sentences mean different things. Then every token is told its place, by adding a number that grows along the sentence, and the two come apart.


# %%
def mix(X):
    weights = (X @ X.T).softmax(dim=-1)
    return weights @ X


states, asks = ["the", "dog", "is", "asleep"], ["is", "the", "dog", "asleep"]
place = torch.tensor([[0.0], [0.5], [1.0], [1.5]])

for name, position in (("no positions:  ", 0 * place), ("with positions:", place)):
    dog_in_statement = mix(embed(states) + position)[states.index("dog")]
    dog_in_question = mix(embed(asks) + position)[asks.index("dog")]
    print(name, "'dog' differs by", round((dog_in_statement - dog_in_question).norm().item(), 3))

# %% [markdown]
# ### Exercise 4 · `why_positions`
# *choose · ●○○ · 2 minutes · 2 points*
#
# The Transformer adds a **positional encoding** to every token before the first block. Which statements are true?
#
# - **A** With it, a model can tell *the dog is asleep* from *is the dog asleep*.
# - **B** It makes the sequence shorter, so that it fits into memory.
# - **C** It marks the tokens that must not be looked at, such as padding.
# - **D** It is needed because attention by itself treats its tokens as a set, without order.
# - **E** In the model of 2017 it is learned together with the other weights.

# %% nbgrader={"grade": false, "grade_id": "why_positions", "locked": false, "schema_version": 3, "solution": true, "task": false}
why_positions = ...
### BEGIN SOLUTION
why_positions = "AD"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: run the cell above</summary>
#
# What did adding a place change, and what was it good for? Did the number of tokens change?
# </details>
#
# <details><summary>Hint 2: one job each</summary>
#
# Hiding tokens is the job of a *mask*. Saying where a token stands is another job.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Two statements are true. As for E: many later models learn their positions. The encoding of 2017 is a fixed pattern of sine and cosine waves, which you will write in unit 03.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_why_positions", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("why_positions", why_positions)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("why_positions", why_positions)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 5 · `why_self_attention`
# *choose · ●○○ · 2 minutes · 2 points*
#
# **Self-attention** is attention of a sequence to itself, as in `mix` above. Which statements are true?
#
# - **A** It lets the target sentence look at the source sentence.
# - **B** It lets every token gather information from the other tokens of its sequence, more from some than from others.
# - **C** It connects the first token with the last in a single step, however long the sequence is.
# - **D** It goes through the tokens in order, and carries a state from one to the next.
# - **E** How much a token takes from another depends on the tokens at hand.

# %% nbgrader={"grade": false, "grade_id": "why_self_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
why_self_attention = ...
### BEGIN SOLUTION
why_self_attention = "BCE"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: look at mix</summary>
#
# Which tokens go into one row of `weights @ X`? And from what are the weights computed?
# </details>
#
# <details><summary>Hint 2: self or cross</summary>
#
# How many sequences does `mix` take? Attention between two of them has another name.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Three statements are true. Is there a loop over the tokens in `mix`? Does a pair that stands far apart need more steps than neighbours?
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_why_self_attention", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("why_self_attention", why_self_attention)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("why_self_attention", why_self_attention)
### END HIDDEN TESTS

# %%
quiz("rows_of_memory")

# %% [markdown]
# ## 5 · How your work is graded
#
# - **You hand in this one file.** Save it (Ctrl + S, or Cmd + S). Before that, choose *Kernel → Restart Kernel and Run All Cells* once: what works then will work for the grader too. It runs to the end even where a check fails or an answer is blank, and fills in the panel below.
# - **The check cells are what is graded**, with other inputs, drawn anew for every student. What is asked stands above each exercise, with its points; nothing else counts. You cannot edit these cells, and if one goes missing it is put back.
# - **Every part counts for itself.** If one thing is wrong, you lose what that thing is worth and keep the rest. An exercise you could not solve does not spoil the others, so always hand in what you have.
# - **You get an answer**: a page with ✓ and ✗ for each thing that was asked, with the same kind of diagnosis that the checks give. For the quizzes it says why a statement is true or false. Explanations in your own words, from unit 01 on, are read by a person.
# - **Cells of your own** are welcome anywhere. Try things out; they do not count.

# %%
quiz("one_thing_wrong")

# %% [markdown]
# **Where you are.** Run the checks above, then this cell: it counts the points whose checks pass (✓), those that are answered and graded later (○), those that are not right yet (✗), and those that are open.
#
# **Learning on your own?** With the whole repository you also have the hidden tests. In a terminal, `course check --full my_notebooks/00_start_here.ipynb` grades this notebook at once, as an instructor would. The panel at the end of each unit reminds you.

# %%
progress("00")

# %% [markdown]
# ## What to take along
#
# | when | do this |
# |:--|:--|
# | a check says ✗ | read what was expected, then the line with → |
# | you are stuck | open one hint, try again, then the next |
# | shapes do not fit | write them down: inner ones vanish, outer ones stay |
# | everything is strange | *Kernel → Restart Kernel*, and run from the top |
#
# Two sentences to keep: *a token is a row*; and *attention lets rows look at other rows*. In unit 01 you write that look yourself.
