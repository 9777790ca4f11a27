# %% [markdown]
# # 06 · Training and inference
#
# <!-- course map -->
#
# *29th of november 2001*, *thu 29/11/2001*, *2001, november 29th*: people write dates in many ways, computers prefer one, `2001-11-29`. In this unit you put the parts of the earlier units together into a whole Transformer, teach it to translate between the two, watch it learn in front of you, and make it write, one character at a time. On the way you hunt two bugs that fool everyone once: a loss that falls to almost zero because the model can see the answer.
#
# **At the end you will be able to**
# - say what an encoder–decoder reads and what it is scored on, while it trains and while it writes;
# - assemble the Transformer of 2017 from its blocks, and train it to 95 % and more on dates it has never seen;
# - write a greedy decoder for a whole batch, in which every row ends at its own end;
# - smell a leak, and write the test that proves it;
# - say what runs in parallel and what cannot, and what a cache saves.
#
# **Time:** about 120 minutes. **Points:** 47, in fourteen exercises.
#
# From the earlier units you have everything but the whole: `EncoderBlock`, `DecoderBlock`, the masks and the positions are ready to use.

# %%
import math
import time

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from course_lib import plots
from course_lib.checks import check
from course_lib.models.configs import TransformerConfig
from course_lib.nn.blocks import DecoderBlock, EncoderBlock
from course_lib.nn.masks import create_look_ahead_mask, create_padding_mask
from course_lib.nn.multihead import MultiHeadAttention
from course_lib.nn.norm import LayerNorm
from course_lib.nn.positions import PositionalEncoding
from course_lib.tasks.dates import SOURCE, TARGET, date_batches, draw_dates, encode_pairs, exact_match
from course_lib.tasks.vocabulary import EOS, PAD, SOS
from course_lib.training.attention_hooks import record_attention
from course_lib.training.live_curve import LiveCurve
from course_lib.training.loop import train, warm_up_and_down
from course_lib.widgets import explore_decoding, progress, quiz

# %% [markdown]
# ## 1 · Why not simply a recurrent network?
#
# Before 2017 translators were pairs of recurrent networks. The first read the source token by token, $h_t = \tanh(x_t W_x + h_{t-1} W_h)$, and handed its **last state**, one vector of fixed size, to the second, which wrote the target from it. Three things are wrong with that, and you can measure two of them:
#
# - **Steps that wait**: $h_t$ needs $h_{t-1}$, so the tokens cannot be processed at once.
# - **Long paths**: what the first token said must survive every step in between to reach the last output.
# - **The bottleneck**: one vector has to hold a whole sentence, however long it is.
#
# Below are both, for a sequence `x` of shape `(n, d)`. `count` counts the multiplications and additions in them.

# %%
n, d = 24, 16
torch.manual_seed(0)
W_x, W_h = torch.randn(d, d) / 4, torch.randn(d, d) / 4


def recurrent(x):
    h, states = torch.zeros(1, d), []
    for t in range(len(x)):
        h = torch.tanh(x[t : t + 1] @ W_x + h @ W_h)
        states.append(h)
    return torch.cat(states)


def attention(x):
    return (x @ x.T / math.sqrt(d)).softmax(dim=-1) @ x


def count(network, length):
    """The arithmetic that a network does on a sequence of this length."""
    with FlopCounterMode(display=False) as counter:
        network(torch.randn(length, d))
    return counter.get_total_flops()


print(f"n = {n}: recurrent {count(recurrent, n):,}, attention {count(attention, n):,}")

# %% [markdown]
# ### Exercise 1 · `rnn_or_attention`
# *experiment · ●○○ · 5 minutes · 3 points*
#
# For `n = 24` tokens and `d = 16` features, hand in five numbers; each line is worth one point.
# - `steps_rnn`, `steps_attention`: how many steps must wait for each other. One turn of the loop is a step; all that happens to all tokens at once is one step.
# - `path_rnn`, `path_attention`: through how many steps does the first token pass until the **last** output knows of it?
# - `crossover`: the length at which `count` gives the same for both. Attention costs $\sim n^2 d$, the recurrent network $\sim n\,d^2$: try several lengths.

# %% nbgrader={"grade": false, "grade_id": "rnn_or_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
rnn_or_attention = {"steps_rnn": ..., "steps_attention": ..., "path_rnn": ..., "path_attention": ..., "crossover": ...}
### BEGIN SOLUTION
same = next(length for length in range(1, 100) if count(attention, length) >= count(recurrent, length))
rnn_or_attention = {"steps_rnn": n, "steps_attention": 1, "path_rnn": n, "path_attention": 1, "crossover": same}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: steps</summary>
#
# Look for the loop. Which of the two functions has one, and how many turns does it take?
# </details>
#
# <details><summary>Hint 2: paths</summary>
#
# In `recurrent`, the first token enters the first state, that one the second, and so on. In `attention`, row $n-1$ of the weights has an entry for column 0.
# </details>
#
# <details><summary>Hint 3: where the costs meet</summary>
#
# Print `count(recurrent, m)` and `count(attention, m)` for `m` in 4, 8, 16, 32. Or solve $n^2 d = n\,d^2$ for $n$.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_rnn_or_attention", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("rnn_or_attention", rnn_or_attention)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("rnn_or_attention", rnn_or_attention)
### END HIDDEN TESTS

# %% [markdown]
# The counts as curves. **What to see:** left of the crossing attention is cheaper, right of it the recurrent network is, and the gap grows: that is the price of letting everybody look at everybody. (Sentences were about 25 tokens long and $d$ was 512 in 2017, far to the left.)

# %%
lengths = [2, 4, 8, 16, 32, 64, 128]
plots.curves(
    f"Arithmetic for one sequence, d = {d}",
    {"recurrent": [count(recurrent, m) for m in lengths], "attention": [count(attention, m) for m in lengths]},
    x=lengths,
    x_label="length n",
    y_label="operations",
    log_x=True,
    log_y=True,
)

# %% [markdown] nbgrader={"grade": false, "grade_id": "rubric_explain_bottleneck", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": true}
# ### Exercise 2 · `explain_bottleneck`
# *explain · ●○○ · 5 minutes · 3 points, graded by a person*
#
# In three to five sentences of your own, in the cell below: what is the *fixed-vector bottleneck* of a pair of recurrent networks, when does it hurt most, and what does cross-attention do about it?
#
# === BEGIN MARK SCHEME ===
#
# One point each for:
# - The whole source must pass through one vector whose size does not grow with the sentence, so something gets lost.
# - It hurts with long sources, and what was read early suffers most (long path, every step overwrites).
# - Cross-attention keeps one vector for each source token, and every target token looks at all of them anew, with weights of its own.
#
# === END MARK SCHEME ===

# %% [markdown] nbgrader={"grade": true, "grade_id": "explain_bottleneck", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# The encoder of such a pair hands over nothing but its last state, so a sentence of five words and one of fifty must fit into equally many numbers. The longer the source, the more is squeezed out, and the beginning suffers most because each later word writes over it. With cross-attention the memory has a row for every source token and grows with the sentence. Each target token makes its own query and takes from all those rows what it needs just then, so nothing has to survive in a single vector.

# %% [markdown]
# **Practice.** After each section comes one question that counts for nothing. Choose an answer and read why it is right, or why not.

# %%
quiz("twice_as_long")

# %% [markdown]
# ## 2 · What the decoder reads
#
# The decoder writes the target token by token: given the source and the tokens before, which one comes next? In **training** we know the whole target, so we do not wait for the model to write. We let it read the right tokens (**teacher forcing**) and ask for the next one *at every place at once*:
#
# | place | 0 | 1 | 2 | 3 |
# |:--|:-:|:-:|:-:|:-:|
# | reads | `SOS` | `2` | `0` | `0` |
# | must write | `2` | `0` | `0` | `1` |
#
# What it reads is the target **shifted right** by one, with a start token in front:
#
# $$\text{shift}(t_0, t_1, \dots, t_{n-1}) = (\text{SOS}, t_0, \dots, t_{n-2})$$
#
# **A claim to correct.** One often reads that "position $i$ sees only positions before $i$". The look-ahead mask lets place $i$ see places 0 to $i$ of what it *reads*, its own included. That is harmless because of the shift: what stands at place $i$ is target $i - 1$.

# %% [markdown]
# ### Exercise 3 · `shift_right`
# *code · ●○○ · 5 minutes · 2 points*
#
# What is asked: SOS in front and the last token dropped (1), whole numbers that stay whole numbers (½), the argument left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "shift_right", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shift_right(tokens, sos_id):
    """What the decoder reads: tokens (B, n) gives (B, n)."""
    ### BEGIN SOLUTION
    start = torch.full_like(tokens[:, :1], sos_id)
    return torch.cat([start, tokens[:, :-1]], dim=1)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: one row on paper</summary>
#
# `[5, 6, 7]` becomes `[1, 5, 6]` if SOS is 1. Nothing is overwritten but the last token, which falls off the end.
# </details>
#
# <details><summary>Hint 2: two pieces</summary>
#
# A column of SOS, `(B, 1)`, and all tokens but the last, `(B, n - 1)`, side by side along dimension 1.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.full_like(some_tokens, value)` has the shape and the dtype of `some_tokens`; `torch.cat` puts pieces together and makes a new tensor.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_shift_right", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("shift_right", shift_right)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("shift_right", shift_right)
### END HIDDEN TESTS

# %% [markdown]
# Here is the task, and your function at work on it. Texts become tokens character by character; 0 is padding, 1 is SOS, 2 is EOS, which ends every target.

# %%
pairs = draw_dates(4, seed=3)
src, tgt = encode_pairs(pairs)
for (written, iso), row in zip(pairs, tgt, strict=True):
    print(f"{written!r:28} → {iso!r}  tokens {row.tolist()}")
print("the decoder reads   ", shift_right(tgt, SOS)[0].tolist())
print("and has to write    ", tgt[0].tolist())

# %%
quiz("before_the_end")

# %% [markdown]
# ## 3 · What it is scored on
#
# At each place the model gives a score for every token of the vocabulary. The loss of a place is $-\log$ of the share that the softmax gives to the right one. With **label smoothing** $\varepsilon$ the model is not asked to be certain: the wanted distribution is $1 - \varepsilon$ on the right token plus $\varepsilon / V$ on every token, the right one included:
#
# $$\text{loss} = \frac{1}{|\text{real}|} \sum_{(b,i)\ \text{real}} \; -\sum_{v=1}^{V} q_v \log \operatorname{softmax}(\text{logits}_{b,i})_v \qquad q_v = (1-\varepsilon)\,[v = t_{b,i}] + \frac{\varepsilon}{V}$$
#
# **Padding does not count.** Short targets are filled up with `pad_id` to fit into one tensor; a model that is praised for writing padding learns to write padding.

# %% [markdown]
# ### Exercise 4 · `teacher_forcing_loss`
# *code · ●●○ · 10 minutes · 3 points*
#
# What is asked: the mean over all tokens of the batch (1), without padding (1), with label smoothing (½), gradients that reach the logits (½). `F.cross_entropy` is allowed, and does most of it if you know its options.


# %% nbgrader={"grade": false, "grade_id": "teacher_forcing_loss", "locked": false, "schema_version": 3, "solution": true, "task": false}
def teacher_forcing_loss(logits, targets, pad_id, label_smoothing=0.0):
    """logits (B, n, V) and targets (B, n) give one number, the mean over real tokens."""
    ### BEGIN SOLUTION
    rows, wanted = logits.reshape(-1, logits.shape[-1]), targets.reshape(-1)
    return F.cross_entropy(rows, wanted, ignore_index=pad_id, label_smoothing=label_smoothing)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: from logits to a loss</summary>
#
# `F.cross_entropy` takes logits, not shares: it does the softmax itself. Its scores are `(rows, V)` and its targets `(rows,)`.
# </details>
#
# <details><summary>Hint 2: leaving things out</summary>
#
# Every token of the batch is a row: flatten both tensors so that `(B, n)` becomes one dimension. `F.cross_entropy` has an option that names one target to ignore, both in the sum and in the count.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# The options are `ignore_index` and `label_smoothing`. The mean is then over all real tokens of the batch, not first within each sequence.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_teacher_forcing_loss", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("teacher_forcing_loss", teacher_forcing_loss)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("teacher_forcing_loss", teacher_forcing_loss)
### END HIDDEN TESTS

# %%
quiz("lowest_loss")

# %% [markdown]
# ## 4 · How fast it learns
#
# In the first steps the weights are random and Adam has seen few gradients, so its steps are large and badly aimed. The paper therefore **warms up**: the rate rises in a line for the first `warmup` steps, then falls with the root of the step:
#
# $$\text{lr}(\text{step}) = d_{model}^{-0.5} \cdot \min\left(\text{step}^{-0.5},\; \text{step} \cdot \text{warmup}^{-1.5}\right)$$

# %% [markdown]
# ### Exercise 5 · `noam_lr`
# *code · ●○○ · 5 minutes · 2 points*
#
# What is asked: the rate on the way up and down (1½) and around the top (½). Steps are counted from 1.


# %% nbgrader={"grade": false, "grade_id": "noam_lr", "locked": false, "schema_version": 3, "solution": true, "task": false}
def noam_lr(step, d_model, warmup):
    """The learning rate of a step, counted from 1."""
    ### BEGIN SOLUTION
    falling, rising = step**-0.5, step * warmup**-1.5
    return min(falling, rising) / math.sqrt(d_model)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: two curves, the lower one</summary>
#
# One of the two terms rises with the step, the other falls. Before the warm-up is over the rising one is smaller, afterwards the falling one.
# </details>
#
# <details><summary>Hint 2: exponents</summary>
#
# `step**-0.5` is $1/\sqrt{\text{step}}$. All exponents of the formula are negative: a wider model gets a smaller rate.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Python's `min` takes two numbers. At step 1 the rate is small but not 0; if yours is 0 there, you count from 0.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_noam_lr", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("noam_lr", noam_lr)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("noam_lr", noam_lr)
### END HIDDEN TESTS

# %% [markdown]
# Your rates for three warm-ups. **What to see:** a longer warm-up has a lower top, at step = warmup; afterwards all three follow the same curve, because what falls does not know how long it rose.

# %%
steps = list(range(1, 1001))
plots.curves(
    "Learning rate, d_model = 48",
    {f"warmup {warmup}": [noam_lr(step, 48, warmup) for step in steps] for warmup in (50, 200, 400)},
    x=steps,
    y_label="learning rate",
)

# %%
quiz("longer_warm_up")

# %% [markdown]
# ## 5 · The whole Transformer
#
# The encoder reads the source once and makes the **memory**, one row for each source token. The decoder reads the shifted target and the memory, and gives logits, one row for each target token:
#
# $$\text{logits} = \operatorname{decode}\big(\text{tgt\_in},\ \operatorname{encode}(\text{src})\big)$$
#
# Before the first block of each stack, tokens become vectors, and vectors get their place:
#
# $$x = \text{embedding}[\text{tokens}] \cdot \sqrt{d_{model}} + \text{positions}$$
#
# Which mask goes where? The encoder may look everywhere but at padding. The decoder looks at itself with the look-ahead mask, and at the memory with the mask of the **source**. (Padding at the end of a target needs no mask: it comes after every real token, so the look-ahead mask hides it.)

# %% [markdown]
# ### Exercise 6 · `Transformer`
# *code · ●●● · 20 minutes · 7 points*
#
# The constructor is written; you write how things flow. In it, `encoder_norm` and `decoder_norm` are layer norms if `norm_first` is set and do nothing otherwise: call them after the last block of their stack in either case.
#
# What is asked: tokens as vectors with positions (1½), `source_mask` (½), `encode` through all encoder blocks, which see no padding (1½), `decode` through all decoder blocks, which see no future, also without a mask of the memory (1½), the logits of both together in `forward` (1), the last norms (1). Each part is tried on its own, so a slip in one costs nothing in the others. Padding is `config.pad_id`, which is not always 0. The grader hands your parts its own weights, so leave their names as they are. Not allowed: torch's own Transformer classes.


# %% nbgrader={"grade": false, "grade_id": "Transformer", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Transformer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        d_model, layers = config.d_model, range(config.num_layers)
        sizes = (d_model, config.num_heads, config.d_ff, config.dropout, config.norm_first)
        self.src_embedding = nn.Embedding(config.src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(config.tgt_vocab, d_model)
        self.positions = PositionalEncoding(d_model, config.max_len)
        self.encoder = nn.ModuleList([EncoderBlock(*sizes) for _ in layers])
        self.decoder = nn.ModuleList([DecoderBlock(*sizes) for _ in layers])
        self.encoder_norm = LayerNorm(d_model) if config.norm_first else nn.Identity()
        self.decoder_norm = LayerNorm(d_model) if config.norm_first else nn.Identity()
        self.output = nn.Linear(d_model, config.tgt_vocab)
        for table in (self.src_embedding, self.tgt_embedding):
            nn.init.normal_(table.weight, std=1 / math.sqrt(d_model))

    def embed(self, tokens, embedding):
        """Tokens (B, n) as vectors with positions, (B, n, d_model)."""
        ### BEGIN SOLUTION
        scaled = embedding(tokens) * math.sqrt(self.config.d_model)
        return self.positions(scaled)
        ### END SOLUTION

    def source_mask(self, src):
        """Booleans (B, 1, 1, n_src), True where src is padding."""
        ### BEGIN SOLUTION
        pad_id = self.config.pad_id
        return create_padding_mask(src, pad_id)
        ### END SOLUTION

    def encode(self, src):
        """The memory: src (B, n_src) gives (B, n_src, d_model)."""
        ### BEGIN SOLUTION
        memory, mask = self.embed(src, self.src_embedding), self.source_mask(src)
        for block in self.encoder:
            memory = block(memory, mask)
        return self.encoder_norm(memory)
        ### END SOLUTION

    def decode(self, tgt_in, memory, memory_mask=None):
        """The logits: tgt_in (B, n_tgt) gives (B, n_tgt, tgt_vocab)."""
        ### BEGIN SOLUTION
        y = self.embed(tgt_in, self.tgt_embedding)
        look_ahead = create_look_ahead_mask(tgt_in.shape[1])
        for block in self.decoder:
            y = block(y, memory, look_ahead, memory_mask)
        return self.output(self.decoder_norm(y))
        ### END SOLUTION

    def forward(self, src, tgt_in):
        """The logits for a source and what the decoder reads."""
        ### BEGIN SOLUTION
        mask = self.source_mask(src)
        return self.decode(tgt_in, self.encode(src), mask)
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: embed and source_mask</summary>
#
# Both are one line. `embedding(tokens)` looks vectors up, scale them **before** the positions are added; `self.positions(x)` adds them to `x`. `create_padding_mask(tokens, pad_id)` from unit 05 has the right shape already.
# </details>
#
# <details><summary>Hint 2: encode</summary>
#
# Embed, then a loop: each block takes what the block before it made, and the mask of the source, `block(x, mask)`. After the loop, `self.encoder_norm`. No look-ahead mask here.
# </details>
#
# <details><summary>Hint 3: decode and forward</summary>
#
# A decoder block is called with four things: what it reads, the memory, the look-ahead mask for itself, and the mask for the memory. `create_look_ahead_mask(size)` makes the first mask. After the loop come `self.decoder_norm` and `self.output`; no softmax. `forward` calls the other three, and hands the mask of the source to `decode`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_Transformer", "locked": true, "points": 7, "schema_version": 3, "solution": false, "task": false}
check("Transformer", Transformer)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("Transformer", Transformer)
### END HIDDEN TESTS

# %% [markdown]
# The model we train below: one block on each side, 48 features, 4 heads. The cell shows the shapes on their way, for the four dates of section 2.

# %%
config = TransformerConfig(
    src_vocab=len(SOURCE), tgt_vocab=len(TARGET), d_model=48, num_heads=4, d_ff=96, num_layers=1, max_len=32,
    pad_id=PAD, norm_first=True,
)  # fmt: skip
torch.manual_seed(0)
model = Transformer(config)
memory = model.encode(src)
logits = model.decode(shift_right(tgt, SOS), memory, model.source_mask(src))
for name, value in {"src": src, "memory": memory, "tgt": tgt, "logits": logits}.items():
    print(f"{name:8}{tuple(value.shape)}")
print(
    f"{sum(p.numel() for p in model.parameters()):,} parameters; a loss of log V would be {math.log(len(TARGET)):.2f},"
)
print(f"yours is {teacher_forcing_loss(logits, tgt, PAD).item():.2f}")

# %%
quiz("reading_ahead")

# %% [markdown]
# ## 6 · Bug hunt: too good to be true
#
# A colleague has trained the same model and is delighted: after 100 steps the loss is almost zero. Run it.


# %%
def colleagues_loss(model, src, tgt):
    logits = model(src, tgt)
    return F.cross_entropy(logits.flatten(0, 1), tgt.flatten())


torch.manual_seed(0)
wonder = Transformer(config)
wonder_losses = train(
    wonder,
    date_batches(100, 64, seed=0),
    lambda model, batch: colleagues_loss(model, *batch),
    warm_up_and_down(100, 5e-3),
    LiveCurve(100, "The colleague's training"),
)

# %% [markdown]
# Now give this model the source of one date, and let it read **another** date as its target. **What to see:** it writes the other date. It has never looked at the source; all it learned is to copy what it reads.

# %%
one, other = 0, 1
copied = wonder(src[one : one + 1], tgt[other : other + 1]).argmax(-1)[0]
print(f"source {pairs[one][0]!r}, reads {pairs[other][1]!r}, writes {TARGET.decode(copied.tolist())!r}")

# %% [markdown]
# ### Exercise 7 · `training_loss`
# *bug hunt · ●●○ · 10 minutes · 3 points*
#
# Write the function as it should be. `colleagues_loss` has **two** bugs; only one of them made the loss so small. What is asked: the model reads the shifted target (1) and is scored on the target itself (1), with gradients and in the mode it is in; padding does not count (1). Targets do not begin with SOS. Use your own functions.


# %% nbgrader={"grade": false, "grade_id": "training_loss", "locked": false, "schema_version": 3, "solution": true, "task": false}
def training_loss(model, src, tgt, sos_id, pad_id):
    """The loss of one training step for sources (B, n_src) and targets (B, n_tgt)."""
    ### BEGIN SOLUTION
    scores = model(src, shift_right(tgt, sos_id))
    return teacher_forcing_loss(scores, tgt, pad_id)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: what does the model read?</summary>
#
# Compare the second argument of `model(…)` with the targets of the loss. What stands at place 3 of each?
# </details>
#
# <details><summary>Hint 2: the other bug</summary>
#
# What does `F.cross_entropy` do with a target of 0, which is padding? Your `teacher_forcing_loss` knows better.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Shift what is **read**, and nothing else: the scores at place $i$ are for target $i$ then, so both have the same length and nothing needs to be cut off.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_training_loss", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("training_loss", training_loss)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("training_loss", training_loss)
### END HIDDEN TESTS

# %% [markdown]
# The shift is one half of the protection; the look-ahead mask is the other. Below, your model trains with your loss, but its self-attention throws the mask away. **What to see:** it takes a little longer, since the answer now stands one place to the right, but the loss falls to almost zero all the same.


# %%
class NoMask(MultiHeadAttention):
    def forward(self, q, k, v, mask=None):
        return super().forward(q, k, v)


torch.manual_seed(0)
leaky = Transformer(config)
leaky.decoder[0].self_attention = NoMask(config.d_model, config.num_heads)
leaky_losses = train(
    leaky,
    date_batches(200, 64, seed=0),
    lambda model, batch: training_loss(model, *batch, SOS, PAD),
    warm_up_and_down(200, 5e-3),
    LiveCurve(200, "Without a look-ahead mask"),
)

# %% [markdown]
# ### Exercise 8 · `leak_test`
# *bug hunt · ●●○ · 15 minutes · 4 points*
#
# A small loss proves nothing, so write a **test**. It gets a function `decode(tgt_in)` that takes tokens 0 to 9 of shape `(B, n)`, `n` up to 16, and gives logits `(B, n, 10)`. If a **later** token can change an **earlier** place, your test must fail with an `AssertionError` (or return `False`); if not, it must pass. Tokens at a place itself and before it may change it.
#
# What is asked: no false alarm on five correct decoders (¼), and as many planted leaks caught as possible (3¾); most of them leak two tokens only. After a false alarm no catch counts.


# %% nbgrader={"grade": false, "grade_id": "leak_test", "locked": false, "schema_version": 3, "solution": true, "task": false}
def leak_test(decode):
    """Fail if a later token changes an earlier place."""
    ### BEGIN SOLUTION
    tgt_in = torch.randint(10, (3, 12))
    before = decode(tgt_in)
    for t in range(1, 12):
        changed = (tgt_in + F.one_hot(torch.tensor(t), 12)) % 10  # another token at t
        after = decode(changed)
        moved = (after - before)[:, :t].abs().max()
        assert moved < 1e-3, f"changing token {t} moves an earlier place by {moved:.2g}"
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: change one thing</summary>
#
# Call `decode` twice, with tokens that differ at one place `t` only. Which places of the logits must stay as they were?
# </details>
#
# <details><summary>Hint 2: all places, all tokens</summary>
#
# Places 0 to `t - 1` must not move; place `t` may, because it reads that token. Some leaks reach only one place far, others two, and most leak from two tokens of the sequence only: try every `t`, and look at every earlier place.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `changed = tgt_in.clone()`, give `changed[:, t]` another token, and compare `decode(changed)[:, :t]` with `decode(tgt_in)[:, :t]` by `torch.allclose(…, atol=1e-4)`: rounding is no leak.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_leak_test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("leak_test", leak_test)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("leak_test", leak_test)
### END HIDDEN TESTS

# %% [markdown]
# Your test on three models: the untrained one, the colleague's and the one without a mask. (Their vocabulary has 15 tokens, so 0 to 9 are valid.) **What to see:** the colleague's *model* is innocent; it was the training that leaked. A test has to look in the right place.

# %%
for name, suspect in {"yours": model, "the colleague's": wonder, "without a mask": leaky}.items():

    def decode(tgt_in, suspect=suspect):
        memory = suspect.encode(src[:1]).expand(len(tgt_in), -1, -1)
        return suspect.decode(tgt_in, memory)[..., :10]

    try:
        verdict = "leaks" if leak_test(decode) is False else "no leak found"
    except AssertionError as error:
        verdict = f"leaks: {error}"
    print(f"{name}: {verdict}")

# %%
quiz("too_good")

# %% [markdown]
# ## 7 · Writing, one token at a time
#
# After training nobody shifts the right target into the decoder: there is none. The model must read **its own** tokens. It starts with SOS, takes the likeliest next token, reads it back, and goes on until it writes EOS:
#
# $$t_{k+1} = \arg\max_v\ \operatorname{decode}\big((\text{SOS}, t_1, \dots, t_k),\ \text{memory}\big)_{k,\,v}$$
#
# In a batch the rows end at different times. A row that has ended must not stop the others, and what is written in it after its EOS does not matter.

# %% [markdown]
# ### Exercise 9 · `greedy_decode`
# *code · ●●● · 15 minutes · 6 points*
#
# `model` has the methods of your `Transformer`: `encode(src)`, `source_mask(src)` and `decode(tgt_in, memory, memory_mask)`. Return the tokens without SOS and with EOS, `(B, n)` with `n` at most `max_len`.
#
# What is asked: the very tokens that the parallel logits name, step by step (2); each row up to its own EOS (1½); at most `max_len` tokens (½); dropout off while it writes (½); no gradients (½); the model left in the mode it was in, whichever that was (½); the source encoded once (½).


# %% nbgrader={"grade": false, "grade_id": "greedy_decode", "locked": false, "schema_version": 3, "solution": true, "task": false}
def greedy_decode(model, src, sos_id, eos_id, max_len):
    """The likeliest token, again and again: src (B, n_src) gives tokens (B, at most max_len)."""
    ### BEGIN SOLUTION
    was_training = model.training
    model.train(False)
    with torch.inference_mode():
        memory, mask = model.encode(src), model.source_mask(src)
        tokens = torch.full((len(src), 1), sos_id)
        ended = torch.zeros(len(src), dtype=torch.bool)
        for _ in range(max_len):
            newest = model.decode(tokens, memory, mask)[:, -1].argmax(dim=-1)
            tokens = torch.cat([tokens, newest[:, None]], dim=1)
            ended = ended | (newest == eos_id)
            if ended.all():
                break
    model.train(was_training)
    return tokens[:, 1:].clone()
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: around the loop</summary>
#
# Before the loop: note `model.training`, call `model.eval()`, make the memory and the mask, and a column of SOS. After it: `model.train(…)` with what you noted, and the tokens without their first column. Everything in between belongs inside `torch.no_grad()`.
# </details>
#
# <details><summary>Hint 2: one turn of the loop</summary>
#
# Hand `decode` **all** tokens so far. Its logits are `(B, k, V)`, and the next token comes from the last place, `[:, -1]`. Put the new column behind the others. The loop has at most `max_len` turns.
# </details>
#
# <details><summary>Hint 3: rows that have ended</summary>
#
# Keep a boolean for each row, and set it when the row's newest token is `eos_id`. You may leave the loop when **all** of them are set, not when any of them is.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_greedy_decode", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("greedy_decode", greedy_decode)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("greedy_decode", greedy_decode)
### END HIDDEN TESTS

# %%
quiz("one_row_has_ended")

# %% [markdown]
# **One more bug that hides well.** A colleague clears away what a model writes after EOS. On your dates it works without a fault. Try it on words. **What to see:** dates are all equally long, and that is the only reason why nothing happened: `june` and `september` end where `may` ends.


# %%
def colleagues_ending(tokens, eos_id, pad_id):
    ended = (tokens == eos_id).any(dim=0).long()
    return tokens.masked_fill(ended.cumsum(dim=0) > ended, pad_id)


print("dates are unharmed:", torch.equal(colleagues_ending(tgt, EOS, PAD), tgt))
months = SOURCE.batch(["september", "june", "may"], end=True)
print([SOURCE.decode(row) for row in colleagues_ending(months, EOS, PAD).tolist()])

# %% [markdown]
# ### Exercise 10 · `keep_to_eos`
# *bug hunt · ●●○ · 5 minutes · 2 points*
#
# Write it as it should be: `tokens` `(B, n)` with everything after a row's **own** first EOS replaced by `pad_id`. What is asked: each row up to its own EOS, which stays (1); a row without EOS stays whole (½); the argument left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "keep_to_eos", "locked": false, "schema_version": 3, "solution": true, "task": false}
def keep_to_eos(tokens, eos_id, pad_id):
    """Each row of tokens (B, n) up to its own EOS, and padding after it."""
    ### BEGIN SOLUTION
    is_end = (tokens == eos_id).long()
    ended_before = is_end.cumsum(dim=1) - is_end
    return tokens.masked_fill(ended_before > 0, pad_id)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: which dimension?</summary>
#
# `any(dim=0)` asks all rows at once whether one of them has ended. Each row should answer for itself.
# </details>
#
# <details><summary>Hint 2: after the first one, for good</summary>
#
# `cumsum(dim=1)` of the places where EOS stands counts, along each row, how many there were so far. It never falls back to 0, and in a row without EOS it never rises.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# The count includes the place itself. Subtract the EOS that stands there, and more than 0 means *an EOS stood before this place*. `masked_fill` makes a new tensor.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_keep_to_eos", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("keep_to_eos", keep_to_eos)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("keep_to_eos", keep_to_eos)
### END HIDDEN TESTS

# %% [markdown]
# ## 8 · Train it
#
# Everything is yours now: the model, the loss, the decoder. 500 steps of 64 fresh dates each, about a quarter of a minute on a free core. Every tenth day of the century is kept out of training, so that you can ask for days that it has never seen.
#
# **What to see:** the loss falls by a factor of several hundred, and the axis is logarithmic: the last stretch, which looks like the first, is where the last few wrong dates become right.

# %%
torch.manual_seed(0)
model = Transformer(config)
losses = train(
    model,
    date_batches(500, 64, seed=0),
    lambda model, batch: training_loss(model, *batch, SOS, PAD),
    warm_up_and_down(500, 5e-3),
    LiveCurve(500, "Written dates to ISO dates"),
)

# %% [markdown]
# The three trainings of this unit in one picture. **What to see:** honest learning is slower. After 100 steps the colleague's loss was below 0.01, and yours is still above 0.1. If a curve falls faster than the task allows, look for the leak before you celebrate.

# %%
plots.curves(
    "One honest loss and two leaks",
    {"honest": losses, "target not shifted": wonder_losses, "no look-ahead mask": leaky_losses},
    smooth=10,
    log_y=True,
)

# %% [markdown]
# ### Exercise 11 · `to_iso`
# *code · ●○○ · 5 minutes · 3 points*
#
# Hand in your trained model as a function: source tokens `(B, n_src)` in, tokens of ISO dates out, as `greedy_decode` gives them. An ISO date and its EOS are 11 tokens. The grader draws 200 dates of its own, from days that no training has seen: 1 point if half of them are right to the last character, 2 more for 95 % (a little less is still accepted, since the dates are drawn by lot). Change the training above if you like: another seed, other sizes, more steps. The cell must finish within 60 s.


# %% nbgrader={"grade": false, "grade_id": "to_iso", "locked": false, "schema_version": 3, "solution": true, "task": false}
def to_iso(src):
    """Written dates as tokens (B, n_src) give ISO dates as tokens (B, n)."""
    ### BEGIN SOLUTION
    return greedy_decode(model, src, SOS, EOS, max_len=12)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: two things you have</summary>
#
# A trained `model`, and a function that makes a model write.
# </details>
#
# <details><summary>Hint 2: arguments</summary>
#
# `greedy_decode` wants the model, the source, two token ids from the first cell of this notebook, and a length that is long enough.
# </details>
#
# <details><summary>Hint 3: it writes nonsense?</summary>
#
# Look at the curve: the loss should end below 0.05. If it is stuck at 1 or above, the decoder does not find the source: check exercise 6. If it is almost zero after 100 steps and the dates are wrong, the model sees the answer: check exercise 7.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_to_iso", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("to_iso", to_iso)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("to_iso", to_iso)
### END HIDDEN TESTS

# %% [markdown]
# Measure it on 500 days that training never saw, and look at a few.

# %%
unseen = draw_dates(500, seed=7, held_out=True)
unseen_src, _ = encode_pairs(unseen)
answers = to_iso(unseen_src)
print(f"exact match on unseen days: {exact_match(answers, unseen):.1%}")
for (written, iso), row in list(zip(unseen, answers.tolist(), strict=True))[:6]:
    found = TARGET.decode(row)
    print(f"{'✓' if found == iso else '✗'} {written!r:28} → {found!r}")

# %% [markdown]
# **Do the steps agree with the parallel pass?** Shift what was written, give it all to the decoder at once, and take the argmax everywhere. **What to see:** every token is the same. In training one pass does what decoding does in eleven; the mask is what makes the two the same computation.

# %%
model.eval()
with torch.no_grad():
    parallel = model(unseen_src, shift_right(answers, SOS)).argmax(-1)
real = keep_to_eos(answers, EOS, PAD) != PAD  # up to each row's own EOS
print(f"tokens that agree: {(parallel == answers)[real].float().mean().item():.2%} of {real.sum().item()}")

# %%
quiz("ten_characters")

# %% [markdown]
# ## 9 · Where it looks while it writes
#
# Cross-attention of your trained model: one row for each character it writes, one column for each character of the source; the mean of the four heads. **What to see:** nobody told it where a year stands. Writing the year it looks at the four digits of the year, writing the month at the first letters of the month's name, writing the day at the day. The dashes need nothing from the source; here they look at the month, too.


# %%
def where_it_looks(written):
    """The characters written, and the cross-attention map (n_tgt, n_src) behind them."""
    source = SOURCE.batch([written])
    tokens = to_iso(source)
    model.eval()
    with torch.no_grad(), record_attention(model) as record:
        model(source, shift_right(tokens, SOS))
    text = TARGET.decode(tokens[0].tolist())
    return text, record["decoder.0.cross_attention"][0].mean(0)[: len(text)]


text, weights = where_it_looks("29 november 2001")
plots.attention_maps({"29 november 2001": weights}, queries=list(text), keys=list("29 november 2001"))

# %% [markdown]
# The same date, written the other way round. **What to see:** the map is mirrored in blocks: the year is now looked up at the beginning, the day at the end.

# %%
text, weights = where_it_looks("2001, november 29th")
plots.attention_maps({"2001, november 29th": weights}, queries=list(text), keys=list("2001, november 29th"))

# %% [markdown]
# And the four heads one by one, for the same date. **What to see:** they share the work; no head alone has the whole picture.

# %%
source = SOURCE.batch(["2001, november 29th"])
with torch.no_grad(), record_attention(model) as record:
    model(source, shift_right(to_iso(source), SOS))
plots.head_maps(
    record["decoder.0.cross_attention"][0][:, :10],
    queries=list(text),
    keys=list("2001, november 29th"),
    title="Cross-attention, head by head",
)

# %% [markdown]
# **Try it.** Let your model write a date one character at a time: move the step, and see the mask grow and the look move over the source. Then choose another way of writing the date.

# %%
explore_decoding(where_it_looks)

# %%
quiz("what_a_weight_says")

# %% [markdown]
# ## 10 · What runs in parallel?
#
# "Transformers are parallel" is true of training and half true of writing. Count it: how often are `encode` and `decode` called while the 500 dates are written, and how long does one parallel pass take?

# %%
calls = {"encode": 0, "decode": 0}


class Counted:
    """A model that counts."""

    training, source_mask, train, eval = False, model.source_mask, model.train, model.eval

    def encode(self, src):
        calls["encode"] += 1
        return model.encode(src)

    def decode(self, *arguments):
        calls["decode"] += 1
        return model.decode(*arguments)


# %%
start = time.perf_counter()
written = greedy_decode(Counted(), unseen_src, SOS, EOS, max_len=12)
step_by_step = time.perf_counter() - start
start = time.perf_counter()
with torch.no_grad():
    model(unseen_src, shift_right(written, SOS))
in_parallel = time.perf_counter() - start
print(f"{calls} for {written.shape[1]} tokens in each of {len(written)} rows")
print(f"step by step {step_by_step:.2f} s, the same logits in one parallel pass {in_parallel:.2f} s")

# %% [markdown]
# ### Exercise 12 · `what_runs_in_parallel`
# *choose · ●○○ · 5 minutes · 3 points*
#
# Which statements are true? Set the variable to all the letters that are.
#
# - **A** In training, the decoder computes the logits of all places of a target in one pass.
# - **B** After training, the decoder writes all tokens of a new target in one pass, because a Transformer is parallel.
# - **C** The encoder reads a whole source in one pass, in training and afterwards.
# - **D** Through the look-ahead mask, place $i$ of the decoder sees only places before $i$ of what it reads.
# - **E** A cache of keys and values makes each step cheaper, but not the number of steps smaller.
# - **F** The look-ahead mask is needed because tokens are written one after the other; in training it could be left out.
# - **G** While a batch is written, its rows can be processed at the same time.

# %% nbgrader={"grade": false, "grade_id": "what_runs_in_parallel", "locked": false, "schema_version": 3, "solution": true, "task": false}
what_runs_in_parallel = ...
### BEGIN SOLUTION
what_runs_in_parallel = "ACEG"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: what you counted</summary>
#
# The printed calls answer B and C.
# </details>
#
# <details><summary>Hint 2: what you tested</summary>
#
# Your leak test answers D: which places may token `t` change? And section 6 answers F.
# </details>
#
# <details><summary>Hint 3: what must wait</summary>
#
# To read a token it must exist. Which tokens exist before anything is written: the source? The target in training? The target afterwards?
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_what_runs_in_parallel", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("what_runs_in_parallel", what_runs_in_parallel)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("what_runs_in_parallel", what_runs_in_parallel)
### END HIDDEN TESTS

# %%
quiz("calls_of_the_decoder")

# %% [markdown]
# ## 11 · Stretch: a cache
#
# At step $k$ your decoder passes all $k$ tokens through every block, although only the newest one is new. The keys and values of the others have not changed: thanks to the mask they cannot depend on what came later. So **keep** them. The newest token makes one query, one key and one value:
#
# $$\text{output}_k = \operatorname{attend}\big(x_k,\; [K_{1..k-1};\, k_k],\; [V_{1..k-1};\, v_k]\big)$$
#
# No look-ahead mask is needed: there is no later token to hide. Two methods of `MultiHeadAttention` from unit 04 do the work: `attention.keys_and_values(x, x)` gives keys and values, each `(B, h, n, d_head)`, and `attention.attend(x, keys, values)` gives `(output, weights)`.

# %% [markdown]
# ### Exercise 13 · `cached_attention`
# *code · ●●○ · 10 minutes · 3 points*
#
# What is asked: for one token after the other, the numbers that attention over all tokens so far would give, and the keys and values to keep (2); no token projected more than once (1).


# %% nbgrader={"grade": false, "grade_id": "cached_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def cached_attention(attention, x, kept=None):
    """Self-attention of the newest token, x (B, 1, d), over all tokens so far.

    kept: None at the first token, or (keys, values) of the tokens before, each (B, h, k - 1, d_head)
    returns: output (B, 1, d), and (keys, values) with the newest token's behind the others
    """
    ### BEGIN SOLUTION
    newest = attention.keys_and_values(x, x)
    if kept is not None:
        newest = [torch.cat(both, dim=2) for both in zip(kept, newest, strict=True)]
    keys, values = newest
    return attention.attend(x, keys, values)[0], (keys, values)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: what is new</summary>
#
# Call `keys_and_values` once, with the newest token alone, and name both of what it returns.
# </details>
#
# <details><summary>Hint 2: what is old</summary>
#
# If something was kept, put the new keys behind the old keys and the new values behind the old values, with `torch.cat` along the tokens, dimension 2. The token sees itself too.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `attend` takes the newest token, the keys, the values, in this order, and returns two things, of which you need the first. Return it together with the longer keys and values, as a pair.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_cached_attention", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("cached_attention", cached_attention)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("cached_attention", cached_attention)
### END HIDDEN TESTS

# %% [markdown]
# A decoder that uses it: in each block only the self-attention is replaced. It must write the very same tokens.


# %%
@torch.no_grad()
def decode_with_cache(model, src, sos_id, max_len):
    model.eval()
    found, mask = model.encode(src), model.source_mask(src)
    kept = [None] * len(model.decoder)
    tokens = [torch.full((len(src), 1), sos_id)]
    for k in range(max_len):
        x = model.positions(model.tgt_embedding(tokens[-1]) * math.sqrt(model.config.d_model), start=k)
        for i, block in enumerate(model.decoder):

            def look_back(y, i=i, block=block):
                output, kept[i] = cached_attention(block.self_attention, y, kept[i])
                return output

            x = block.residual(x, block.norm1, look_back)
            x = block.residual(x, block.norm2, lambda y, block=block: block.cross_attention(y, found, found, mask)[0])
            x = block.residual(x, block.norm3, block.feed_forward)
        tokens.append(model.output(model.decoder_norm(x)).argmax(-1))
    return torch.cat(tokens[1:], dim=1)


with_cache = decode_with_cache(model, unseen_src, SOS, answers.shape[1])
print(f"tokens that agree: {(with_cache == answers)[real].float().mean().item():.2%}")

# %% [markdown]
# Dates are short; a cache pays with length. A larger model, untrained, writes longer and longer texts (no token ends them). **What to see:** without a cache the time grows faster than the length, with it about in proportion, so the speed-up grows too.

# %%
torch.manual_seed(0)
large = Transformer(TransformerConfig(20, 20, d_model=64, num_heads=4, d_ff=256, num_layers=2, max_len=200))
long_src = torch.randint(1, 20, (8, 10))
lengths, seconds = [20, 40, 80, 120], {"without cache": [], "with cache": []}
for length in lengths:
    for name, write in (
        ("without cache", lambda length=length: greedy_decode(large, long_src, SOS, -1, length)),
        ("with cache", lambda length=length: decode_with_cache(large, long_src, SOS, length)),
    ):
        start = time.perf_counter()
        write()
        seconds[name].append(time.perf_counter() - start)
speed_up = seconds["without cache"][-1] / seconds["with cache"][-1]
print(f"at {lengths[-1]} tokens the cache makes it {speed_up:.1f} times as fast")
plots.curves("Time to write", seconds, x=lengths, x_label="tokens", y_label="seconds")

# %% [markdown] nbgrader={"grade": false, "grade_id": "rubric_explain_training_measures", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": true}
# ### Exercise 14 · `explain_training_measures`
# *explain · ●●○ · 5 minutes · 3 points, graded by a person*
#
# Name **four** measures that make the training of a Transformer better, and say of each in a sentence *why* it helps. Some of them you have used in this unit, others in unit 05.
#
# === BEGIN MARK SCHEME ===
#
# Three quarters of a point for each of four measures, with its reason (half of that for a name alone). For example:
# - warm-up of the learning rate: the first gradients and Adam's averages are unreliable, small steps do less harm; later the rate falls so that training settles
# - residual connections: a short path for gradients through deep stacks
# - layer norm (before or after): activations keep their scale, whatever the depth
# - label smoothing: the model is not driven to be certain, which generalises better
# - dropout: no reliance on single features, less overfitting
# - cutting long gradients: one odd batch cannot undo the others
# - teacher forcing: all places are trained at once, and early mistakes do not pile up
# - scaling scores by 1/√d_k: the softmax does not saturate, so gradients stay
# - more or fresher data, larger batches, fine-tuning a pre-trained model
#
# === END MARK SCHEME ===

# %% [markdown] nbgrader={"grade": true, "grade_id": "explain_training_measures", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# Warming up the learning rate keeps the first steps small, while the gradients of random weights and the averages inside Adam are still unreliable, and lets the rate fall later so that training settles. Residual connections give the gradient a path around every sublayer, so that the first blocks of a deep stack learn as well. Label smoothing asks for less than certainty, so the logits need not grow without end and unseen inputs are handled better. Dropout switches features off at random, so the model cannot lean on a few of them and overfits less.

# %%
quiz("what_a_cache_keeps")

# %% [markdown]
# **Where you stand.** Run the checks above, then this cell: it says which of them pass and which points are still open.

# %%
progress("06")

# %% [markdown]
# ## What to take along
#
# | | reads | source | target |
# |:--|:--|:--|:--|
# | training | the right target, shifted | one parallel pass | one parallel pass, under the look-ahead mask |
# | writing | its own tokens | one parallel pass | one step for each token; a cache makes a step cheaper |
#
# Two sentences to keep: *shift what is read, never what is scored*; and *a loss that is too good to be true is a leak until a test says otherwise*.
#
# Next, unit 07 takes the two halves apart again: models that only read, and models that only write.
