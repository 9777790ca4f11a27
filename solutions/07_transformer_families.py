# %% [markdown]
# # 07 · Transformer families
#
# <!-- course map -->
#
# BERT, GPT, T5: three famous names, three families, and inside all of them the block you wrote in unit 05. What makes one of them *read* and another *write* is hardly more than **who may look at whom**. In this unit you build one stack, turn it into an encoder-only and a decoder-only model with one line each, train both, and see the difference in numbers and in pictures.
#
# **At the end you will be able to**
# - build the two families from one stack, and say what the mask does to each;
# - train a model to fill gaps (the masked objective), and hide tokens for it in the right way;
# - let a model write, with temperature and top-k, and check its odds rather than its taste;
# - pick a family for a task, and name what self-attention costs;
# - adapt a trained layer with a correction of low rank (LoRA).
#
# **Time:** about 115 minutes. **Points:** 43, in ten exercises.
#
# Everything you built before is ready to use: `EncoderBlock(d_model, num_heads, d_ff, dropout, norm_first)` with `forward(x, mask)`, `LayerNorm(d)`, `LearnedPositions(max_len, d_model)` and the masks, in which `True` means blocked.

# %%
import torch
import torch.nn.functional as F
from torch import nn

from course_lib import plots
from course_lib.checks import check
from course_lib.models.configs import LanguageModelConfig
from course_lib.models.transformer import Transformer, TransformerConfig
from course_lib.nn.blocks import EncoderBlock
from course_lib.nn.masks import create_look_ahead_mask, create_padding_mask
from course_lib.nn.norm import LayerNorm
from course_lib.nn.positions import LearnedPositions
from course_lib.tasks.corpus import VOCABULARY, all_windows, load_corpus, unigram_entropy, windows
from course_lib.tasks.toy_sequences import both_neighbours, reversed_copies
from course_lib.tasks.vocabulary import MASK
from course_lib.training.attention_hooks import record_attention
from course_lib.training.loop import train, warm_up_and_down
from course_lib.training.objectives import shift_right
from course_lib.widgets import explore_sampling, progress, quiz

# %% [markdown]
# ## 1 · One stack, three families
#
# | family | who sees whom | learns to | for example |
# |:--|:--|:--|:--|
# | **encoder-only** | every token sees every other | fill gaps | BERT, DistilBERT |
# | **decoder-only** | a token sees itself and what came before | continue | GPT, Llama |
# | **encoder–decoder** | the encoder sees all; the decoder sees its own past and, through cross-attention, the whole source | write one text from another | the Transformer of 2017, T5, FLAN-T5 |
#
# The third you built in unit 06. **What to see** below: three ways to say who sees whom. A dot is an open cell, hatching is blocked. Cross-attention is not square: its queries are target tokens, its keys source tokens.

# %%
plots.mask_maps(
    {
        "full: encoder-only": torch.zeros(6, 6, dtype=torch.bool),
        "causal: decoder-only": create_look_ahead_mask(6),
        "cross: encoder–decoder": torch.zeros(4, 6, dtype=torch.bool),
    }
)

# %% [markdown]
# A word that misleads: a decoder-only model has **no cross-attention**, since there is nothing to cross over to. Its blocks are *encoder blocks under a look-ahead mask*. So both families share a stack:
#
# $$\text{stack}(t, M) \;=\; \operatorname{norm}\big(\text{block}_L(\cdots\,\text{block}_1(E[t] + P,\; M)\,\cdots,\; M)\big)$$
#
# with $E[t]$ the embedded tokens, $P$ learned positions and $M$ the mask. (BERT and GPT learn their positions, as here; those of the 2017 Transformer are fixed sinusoids.)
#
# ### Exercise 1 · `TokenStack`
# *code · ●●○ · 15 minutes · 4 points*
#
# Write the stack. `config` is a `LanguageModelConfig` with `vocab`, `d_model`, `num_heads`, `d_ff`, `num_layers`, `max_len`, `dropout`, `pad_id` and `norm_first`. Call your parts `embedding` (an `nn.Embedding`), `positions` (a `LearnedPositions`), `blocks` and `norm`: the grader hands its own weights to them. The embedding is used as it is, without a factor.
#
# What is asked: tokens with positions (1), through all blocks, and then the norm (1½); a mask that reaches every block (1); all of it together, with and without a mask, and gradients for every part (½). The mask may be `None`. Dropout after the embedding is up to you: it is 0 here.


# %% nbgrader={"grade": false, "grade_id": "TokenStack", "locked": false, "schema_version": 3, "solution": true, "task": false}
class TokenStack(nn.Module):
    """Embedded tokens with positions, through the blocks; who sees whom is left to the mask."""

    def __init__(self, config):
        super().__init__()
        ### BEGIN SOLUTION
        self.embedding = nn.Embedding(config.vocab, config.d_model)
        self.positions = LearnedPositions(config.max_len, config.d_model)
        sizes = (config.d_model, config.num_heads, config.d_ff, config.dropout, config.norm_first)
        self.blocks = nn.ModuleList([EncoderBlock(*sizes) for _ in range(config.num_layers)])
        self.norm = LayerNorm(config.d_model)
        ### END SOLUTION

    def forward(self, tokens, mask=None):
        """tokens (B, n), mask broadcasts to (B, heads, n, n); returns (B, n, d_model)."""
        ### BEGIN SOLUTION
        states = self.positions(self.embedding(tokens))
        for block in self.blocks:
            states = block(states, mask)
        return self.norm(states)
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: four parts, four lines</summary>
#
# In `__init__`: an `nn.Embedding` from `vocab` to `d_model`, a `LearnedPositions`, a list of blocks and a `LayerNorm`. A plain Python list hides its modules from the optimizer; `nn.ModuleList([...])` does not.
# </details>
#
# <details><summary>Hint 2: what the blocks want</summary>
#
# Each block is an `EncoderBlock` and takes five things from the config, in this order: `d_model`, `num_heads`, `d_ff`, `dropout`, `norm_first`. Make `num_layers` of them, each one new. `LearnedPositions` is called with the embedded tokens and adds the positions to them.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# In `forward`, `x` starts as the embedded tokens with their positions. A loop hands `x` and the mask to one block after the other, and the result becomes the new `x`. After the loop comes the norm: with `norm_first` a block leaves its last sum as it is.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_TokenStack", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("TokenStack", TokenStack)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("TokenStack", TokenStack)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 2 · `EncoderOnly`
# *code · ●○○ · 10 minutes · 3 points*
#
# A stack with a head: every place gets one score for each token of the vocabulary.
#
# $$\text{logits} = \text{stack}(t, M_\text{padding})\,W_\text{out} + b$$
#
# Every token sees every other, on both sides; only padding is hidden. When `config.pad_id` is `None` there is no padding, and nothing is blocked. Call the parts `stack` (your `TokenStack`) and `output` (an `nn.Linear`).
#
# What is asked: every token sees every other (1); padding is hidden from all, whatever its id, 0 included (1); the output is the logits, `(B, n, vocab)` (1).


# %% nbgrader={"grade": false, "grade_id": "EncoderOnly", "locked": false, "schema_version": 3, "solution": true, "task": false}
class EncoderOnly(nn.Module):
    """Each token sees every other: scores of the token that belongs at each place."""

    def __init__(self, config):
        super().__init__()
        ### BEGIN SOLUTION
        self.pad_id = config.pad_id
        self.stack = TokenStack(config)
        self.output = nn.Linear(config.d_model, config.vocab)
        ### END SOLUTION

    def forward(self, tokens):
        """tokens (B, n) give logits (B, n, vocab)."""
        ### BEGIN SOLUTION
        mask = None if self.pad_id is None else create_padding_mask(tokens, self.pad_id)
        return self.output(self.stack(tokens, mask))
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: which mask</summary>
#
# No look-ahead mask: that is the point of an encoder. The only thing to hide is padding.
# </details>
#
# <details><summary>Hint 2: where the mask comes from</summary>
#
# `create_padding_mask(tokens, pad_id)` gives `(B, 1, 1, n)`, which broadcasts over heads and queries. `forward` needs the `pad_id`, so keep it in `__init__`.
# </details>
#
# <details><summary>Hint 3: without padding</summary>
#
# If `pad_id` is `None`, hand `None` to the stack as its mask. Id 0 is then a token like any other. What the stack returns goes through `output`, and nothing follows: no softmax.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_EncoderOnly", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("EncoderOnly", EncoderOnly)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("EncoderOnly", EncoderOnly)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 3 · `DecoderOnly`
# *code · ●○○ · 5 minutes · 3 points*
#
# The same parts, another mask. The logits at place $t$ are about token $t + 1$, and must not have seen it.
#
# What is asked: each token sees itself and what came before (1), also in sequences of `max_len` tokens (1); the output is the logits (1). Padding ends a text, so the look-ahead mask already hides it from every real token; you need not care about it, and the logits at padding do not count.


# %% nbgrader={"grade": false, "grade_id": "DecoderOnly", "locked": false, "schema_version": 3, "solution": true, "task": false}
class DecoderOnly(nn.Module):
    """Each token sees itself and the past: scores of the token that comes next."""

    def __init__(self, config):
        super().__init__()
        ### BEGIN SOLUTION
        self.stack = TokenStack(config)
        self.output = nn.Linear(config.d_model, config.vocab)
        ### END SOLUTION

    def forward(self, tokens):
        """tokens (B, n) give logits (B, n, vocab); those at place t are about token t + 1."""
        ### BEGIN SOLUTION
        mask = create_look_ahead_mask(tokens.shape[1])
        return self.output(self.stack(tokens, mask))
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: the difference</summary>
#
# Take your encoder-only model and change the mask. Nothing else.
# </details>
#
# <details><summary>Hint 2: which mask</summary>
#
# `create_look_ahead_mask(size)` blocks every key that comes after the query. Which size does a batch of tokens `(B, n)` need?
# </details>
#
# <details><summary>Hint 3: what not to do</summary>
#
# The model does not shift its input: whoever trains it takes the logits at $t$ and compares them with token $t + 1$. The size of the mask is the length of this batch, not `max_len`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_DecoderOnly", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("DecoderOnly", DecoderOnly)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("DecoderOnly", DecoderOnly)
### END HIDDEN TESTS

# %% [markdown]
# **Practice.** After each section comes one question that counts for nothing. Choose an answer and read why it is right, or why not.

# %%
quiz("weights_of_two_families")

# %% [markdown]
# ## 2 · What each family can see
#
# A test of sight. A sequence has ten letters, drawn evenly from eight, arranged **in a circle**: the right neighbour of the last letter is the first. At each place the model is asked for its **left** neighbour, or for its **right** one. `find_neighbours` trains one of your models on one of the two questions and returns its accuracy on new sequences. `start_small` matters more than it seems: with the entries of size 1 that `nn.Embedding` starts with, positions of size 0.1 are hard to hear, and gaps are learned much more slowly.


# %%
def start_small(model):
    """Embeddings start about as large as the positions, so that neither drowns the other."""
    for part in model.modules():
        if isinstance(part, nn.Embedding):
            nn.init.normal_(part.weight, std=0.1)
    return model


# %%
LEFT, RIGHT = 0, 1
found = {}  # the trained models, to look into later


def find_neighbours(family, side, steps=150):
    """The share of neighbours that a trained model gets right."""
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    model = start_small(family(LanguageModelConfig(8, d_model=32, num_heads=2, d_ff=64, num_layers=1, max_len=10)))

    def batches(count, size):
        for _ in range(count):
            letters, neighbours = both_neighbours(size, 10, 8, generator)
            yield letters, neighbours[..., side]

    def loss_of(model, batch):
        letters, wanted = batch
        return F.cross_entropy(model(letters).flatten(0, 1), wanted.flatten())

    train(model, batches(steps, 64), loss_of, warm_up_and_down(steps, 5e-3))
    found[family.__name__, side] = model.eval()
    letters, wanted = next(batches(1, 2000))
    with torch.no_grad():
        return (model(letters).argmax(-1) == wanted).float().mean().item()


# %% [markdown]
# ### Exercise 4 · `neighbours_seen`
# *experiment · ●●○ · 10 minutes · 3 points*
#
# **Before you run anything**, write down what you expect from the decoder-only model, on each side: at how many of the ten places can it see the neighbour, and how often is a guess among eight letters right? Then measure all four accuracies, between 0 and 1. Points: 1 for the encoder-only model, 2 for the decoder-only model. Each run takes a few seconds.

# %% nbgrader={"grade": false, "grade_id": "neighbours_seen", "locked": false, "schema_version": 3, "solution": true, "task": false}
neighbours_seen = {"encoder, left": ..., "encoder, right": ..., "decoder, left": ..., "decoder, right": ...}
### BEGIN SOLUTION
families = {"encoder": EncoderOnly, "decoder": DecoderOnly}
for name, family in families.items():
    for side, word in ((LEFT, "left"), (RIGHT, "right")):
        neighbours_seen[f"{name}, {word}"] = find_neighbours(family, side)
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: running it</summary>
#
# `find_neighbours` takes the class, without parentheses, and a side. It returns the accuracy.
# </details>
#
# <details><summary>Hint 2: the encoder</summary>
#
# It sees all ten letters from every place. Whatever it is asked for, it can look it up.
# </details>
#
# <details><summary>Hint 3: the decoder</summary>
#
# It sees places $0 \dots t$. Its left neighbour, at $t - 1$, is among them, except at the first place, whose left neighbour stands last. Its right neighbour is not, except at the last place, whose right neighbour stands first. Where it cannot see it is right one time in eight.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_neighbours_seen", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("neighbours_seen", neighbours_seen)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("neighbours_seen", neighbours_seen)
### END HIDDEN TESTS

# %% [markdown]
# Now look inside. Beside your two models stands a small encoder–decoder, which learns to write a sequence **backwards**. **What to see:** the encoder-only model, asked for right neighbours, looks one step ahead, across the whole map. The decoder-only model, asked for left ones, looks one step back, and everything above its diagonal is hatched: exactly 0, in training as in use. In its first row there is nothing to look at but itself. The cross-attention runs from the last source letter to the first, because it writes backwards. No position looks only at "its" letter: the weights of the others are small, not 0.

# %%
torch.manual_seed(0)
generator = torch.Generator().manual_seed(1)
START = 8
reverser = Transformer(TransformerConfig(9, 9, 32, 2, 64, 1, 10, pad_id=START, norm_first=True))


def reversal_loss(model, batch):
    letters, backwards = batch
    return F.cross_entropy(model(letters, shift_right(backwards, START)).flatten(0, 1), backwards.flatten())


train(
    reverser,
    (reversed_copies(64, 8, 8, generator) for _ in range(200)),
    reversal_loss,
    warm_up_and_down(200, 5e-3),
)
letters = reversed_copies(1, 8, 8, generator)[0]
with record_attention(reverser.eval()) as crossing:
    reverser(letters, shift_right(letters.flip(1), START))

# %%
circle = both_neighbours(1, 10, 8, generator)[0]
seer, reader = found["EncoderOnly", RIGHT], found["DecoderOnly", LEFT]
with record_attention(seer) as full:
    seer(circle)
with record_attention(reader) as causal:
    reader(circle)
plots.family_maps(
    "Three attention patterns, each the mean of two heads",
    {
        "full (encoder-only)": full["stack.blocks.0.self_attention"][0].mean(0),
        "causal (decoder-only)": causal["stack.blocks.0.self_attention"][0].mean(0),
        "cross (encoder–decoder)": crossing["decoder.0.cross_attention"][0].mean(0),
    },
)

# %%
quiz("deeper_and_causal")

# %% [markdown]
# ## 3 · Learning by filling gaps
#
# How do you train an encoder-only model on bare text? Ask it for the next token and it cheats: it sees it. So hide some tokens behind a special one, the **mask token**, and ask for those:
#
# $$\text{loss} = -\frac{1}{|H|}\sum_{i \in H} \log p(t_i \mid \text{the text with } H \text{ hidden}) \qquad H = \{\,i : u_i < p\,\}$$
#
# with $u_i$ a random number between 0 and 1 for each token. The sum runs over the hidden places only. `F.cross_entropy` leaves out every label that is −100, so that is the label of all other places. (BERT chooses 15 % and hides four in five of them; of the rest, half become a random token and half stay as they are. Here every chosen token is hidden.)
#
# ### Exercise 5 · `mask_tokens`
# *code · ●●○ · 15 minutes · 6 points*
#
# Return `(inputs, labels)`, both `(B, n)` and of whole numbers. What is asked: every token, 0 included, hidden with p = 1 (½) and none with p = 0 (½); labels that hold the token where it is hidden and −100 elsewhere (2); a share of p hidden (1); each token chosen by itself, by random numbers that come from `generator` (1½); `tokens` left unchanged (½). You are graded by statistics over thousands of tokens, so any way of drawing will do.


# %% nbgrader={"grade": false, "grade_id": "mask_tokens", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mask_tokens(tokens, mask_id, p, generator=None):
    """Hide each token with probability p: tokens (B, n) give (inputs, labels)."""
    ### BEGIN SOLUTION
    hidden = torch.rand(tokens.shape, generator=generator) < p
    inputs = torch.where(hidden, mask_id, tokens)
    labels = torch.where(hidden, tokens, -100)
    return inputs, labels
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: one number for each token</summary>
#
# `torch.rand` gives numbers between 0 and 1, of any shape. The share of them that is below p is, on average, p.
# </details>
#
# <details><summary>Hint 2: two tensors from one choice</summary>
#
# The same choice decides both: where a token is hidden, `inputs` has `mask_id` and `labels` has the token; elsewhere `inputs` has the token and `labels` has −100. Draw once.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.rand(shape, generator=generator) < p` is the choice. `torch.where(condition, a, b)` takes `a` where the condition holds and `b` elsewhere, and makes a new tensor, so `tokens` stays as it is. `a` and `b` may be plain numbers.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_mask_tokens", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("mask_tokens", mask_tokens)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("mask_tokens", mask_tokens)
### END HIDDEN TESTS

# %% [markdown]
# Your function on a sentence. **What to see:** `·` is the mask token; the second line shows what the model is asked for, and only that.

# %%
sentence = VOCABULARY.batch(["The red boat is called Morning."])
inputs, labels = mask_tokens(sentence, MASK, 0.15, torch.Generator().manual_seed(25))
print("reads:    ", VOCABULARY.decode(inputs[0].tolist()))
print("asked for:", "".join(VOCABULARY.decode([label]) if label >= 0 else " " for label in labels[0].tolist()))

# %%
quiz("scored_places")

# %% [markdown]
# ## 4 · Writing, one token at a time
#
# A decoder-only model gives, at its last place, the logits $z$ of the next token. To write: draw a token, append it, read everything again, and so on. Two knobs shape the odds:
#
# $$P(\text{token } i) = \frac{e^{z_i/T}}{\sum_{j \in K} e^{z_j/T}} \quad (i \in K), \qquad 0 \text{ elsewhere}$$
#
# The **temperature** $T$ sharpens the odds below 1 and flattens them above; it is $1/\beta$ of unit 02, so a *large* beta is a *small* temperature. **Top-k** lets only the set $K$ of the $k$ likeliest tokens take part.
#
# ### Exercise 6 · `generate`
# *code · ●●● · 20 minutes · 8 points*
#
# `model` is an `nn.Module`; `model(tokens)` gives logits `(B, n, vocab)` for tokens `(B, n)`. Return the prompt followed by `steps` more tokens, `(B, n + steps)`; each row draws its own. `top_k=None` means that all tokens take part.
#
# What is asked: with `top_k=1`, the likeliest token each time, from everything written so far (3); the odds of the softmax when nothing is set (2); temperature (1); top-k and temperature together (2). Nobody looks at your seed: the grader draws thousands of tokens and compares how often each came with its odds.


# %% nbgrader={"grade": false, "grade_id": "generate", "locked": false, "schema_version": 3, "solution": true, "task": false}
@torch.no_grad()
def generate(model, prompt, steps, temperature=1.0, top_k=None):
    """The prompt (B, n) and `steps` more tokens, each drawn from softmax(logits / temperature) of the last place."""
    ### BEGIN SOLUTION
    written = prompt
    for _step in range(steps):
        logits = model(written)[:, -1]
        if top_k is None:
            kept, ids = logits.sort(descending=True)
        else:
            kept, ids = logits.topk(top_k)
        place = torch.multinomial((kept / temperature).softmax(-1), 1)
        written = torch.cat([written, ids.gather(-1, place)], dim=1)
    return written
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: one round</summary>
#
# In each of the `steps` rounds: hand **all** tokens so far to the model, take the logits at the last place, `[:, -1]`, draw one token for each row, append it with `torch.cat`.
# </details>
#
# <details><summary>Hint 2: drawing</summary>
#
# Divide the logits by the temperature, take the softmax once, and draw with `torch.multinomial(odds, 1)`, which gives `(B, 1)`: for each row the index of what was drawn.
# </details>
#
# <details><summary>Hint 3: top-k</summary>
#
# `values, ids = logits.topk(k)` gives the k largest logits of each row and which tokens they belong to. If you draw among these, the index counts within the list of k; `ids.gather(-1, index)` turns it into tokens. Or keep all tokens and set the logits of the others to `-inf` before the softmax.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_generate", "locked": true, "points": 8, "schema_version": 3, "solution": false, "task": false}
check("generate", generate)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("generate", generate)
### END HIDDEN TESTS

# %% [markdown]
# ## What temperature and top-k do to the odds
#
# A toy model that gives the same five logits everywhere, and 4000 tokens drawn by your function with each setting. **What to see:** the bars (drawn) end at the orange marks (wanted). A low temperature nearly always takes the favourite, a high one makes the odds more even without changing their order, and top-k cuts the tail and shares it out among those that remain.

# %%
z = torch.tensor([2.0, 1.2, 0.6, 0.0, -1.0])


class SameLogits(nn.Module):
    def forward(self, tokens):
        return z.expand(*tokens.shape, 5)


same_logits = SameLogits()
start = torch.zeros(4000, 1, dtype=torch.long)
settings = {"T = 1": (1.0, None), "T = 0.3": (0.3, None), "T = 3": (3.0, None), "T = 3, top_k = 2": (3.0, 2)}
drawn = {name: generate(same_logits, start, 1, *knobs)[:, 1] for name, knobs in settings.items()}
wanted = {name: (z / T).softmax(-1) for name, (T, _) in settings.items()}
wanted["T = 3, top_k = 2"] = torch.cat([(z[:2] / 3).softmax(-1), torch.zeros(3)])
plots.drawn_odds("How often each token is drawn", drawn, list("abcde"), wanted)

# %% [markdown]
# **Try it.** Turn the two knobs, or type other logits. Where is the temperature at which *a* and *e* are nearly level? What does top-k do at that temperature?

# %%
explore_sampling(generate)

# %%
quiz("hot_but_alone")

# %% [markdown]
# ## 5 · Two readers of one story
#
# The course has a story of its own, about a harbour: some ten thousand characters, the last tenth of them held out. Your two models now read it, character by character: the decoder-only model learns to **continue**, the encoder-only model to **fill gaps**. To compare with, `unigram_entropy(training)` is the loss of someone who knows how frequent each character is and nothing else.

# %%
training, test = load_corpus()
SIZES = LanguageModelConfig(len(VOCABULARY), d_model=48, num_heads=4, d_ff=96, num_layers=1, max_len=33)


def continue_loss(model, batch):
    """Read all but the last character of each window; at each place, guess the next one."""
    return F.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())


def gap_loss(model, batch):
    """Hide 15 % of the characters; guess those."""
    inputs, labels = mask_tokens(batch, MASK, 0.15)
    return F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())


def read_the_story(family, loss_of, steps):
    """A trained model, the loss of every step, and the loss on the end of the story, which it has not read."""
    torch.manual_seed(0)
    model = start_small(family(SIZES))
    losses = train(model, windows(training, steps, 32, 33, seed=0), loss_of, warm_up_and_down(steps, 5e-3))
    with torch.no_grad():
        held_out = [loss_of(model.eval(), all_windows(test, 33)).item() for _ in range(20)]
    return model, losses, sum(held_out) / 20


# %%
decoder, decoder_losses, decoder_test = read_the_story(DecoderOnly, continue_loss, steps=300)

# %%
encoder, encoder_losses, encoder_test = read_the_story(EncoderOnly, gap_loss, steps=600)

# %% [markdown]
# **What to see:** both end well below the line of counting. The decoder-only model learns from every place of a window, the encoder-only model from 15 % of them: its curve is rougher, it needs more steps, and for more than a hundred of them it rests on the line, knowing how frequent characters are before it finds out where to look.

# %%
plots.curves(
    "Two readers of one story",
    {"decoder-only: the next character": decoder_losses, "encoder-only: hidden characters": encoder_losses},
    smooth=20,
    levels={"counting characters": unigram_entropy(training)},
)

# %% [markdown]
# ### Exercise 7 · `story_losses`
# *experiment · ●○○ · 10 minutes · 4 points*
#
# Hand in the loss of counting on the training part (1 point), and of your two models on the held-out end of the story (1½ each). Your numbers need not be those of others: the windows are wide enough for another start.
#
# While they train, think: the two losses answer **different questions**. Is the smaller one proof that its family is better?

# %% nbgrader={"grade": false, "grade_id": "story_losses", "locked": false, "schema_version": 3, "solution": true, "task": false}
story_losses = {"counting": ..., "decoder": ..., "encoder": ...}
### BEGIN SOLUTION
story_losses = {"counting": unigram_entropy(training), "decoder": decoder_test, "encoder": encoder_test}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: where they are</summary>
#
# All three are at hand: one is a function of `training`, the other two came back from `read_the_story`.
# </details>
#
# <details><summary>Hint 2: which of the three</summary>
#
# `read_the_story` returns the model, the losses of its steps, and the loss on the held-out end. The last is asked for.
# </details>
#
# <details><summary>Hint 3: plausible numbers</summary>
#
# Losses are in nats. An even guess among all 51 tokens has ln 51 ≈ 3.93, counting about 2.9. A loss near 0 would mean that a model sees the answer.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_story_losses", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("story_losses", story_losses)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("story_losses", story_losses)
### END HIDDEN TESTS

# %% [markdown]
# What they have learned, in their own words. **What to see:** a few right words, many that only look like words, spaces where spaces belong: that is what one block learns in a few seconds from nine thousand characters. At a low temperature it keeps to what is common, at a high one it babbles. Then the gaps: what your encoder-only model puts in place of each `·`, with both sides in sight. (Both texts end at 33 characters, the longest the models were trained on; unit 03 showed what happens beyond.)

# %%
torch.manual_seed(1)
prompt = VOCABULARY.batch(["The boat "])
for temperature in (0.3, 0.8, 2.0):
    written = generate(decoder, prompt, 24, temperature, top_k=10)
    print(f"T = {temperature}: {VOCABULARY.decode(written[0].tolist())!r}")

filled = torch.where(inputs == MASK, encoder(inputs).argmax(-1), inputs)
print("\ngaps:  ", VOCABULARY.decode(inputs[0].tolist()))
print("filled:", VOCABULARY.decode(filled[0].tolist()))
print("truth: ", VOCABULARY.decode(sentence[0].tolist()))

# %%
quiz("two_losses")

# %% [markdown]
# ## 6 · Which family for which task?
#
# Ask two questions. *Is the whole input there before I answer?* Then it should be read from both sides. *Do I have to write a text?* Then something must write under a look-ahead mask.
#
# - **Reading** (labels, vectors, spans): encoder-only. BERT; DistilBERT is a smaller one that learned from it.
# - **Writing** (continue, chat, code): decoder-only. GPT, Llama. With the source in the prompt they also translate and summarise, reading it from left to right only.
# - **Reading one text, writing another**: encoder–decoder. T5; FLAN-T5 is T5 trained further on instructions.
#
# ### Exercise 8 · `task_to_family`
# *choose · ●●○ · 10 minutes · 4 points*
#
# Which statements are right? Each right one found counts for you, each wrong one chosen against you.
#
# - **A.** To label a review as happy or angry, DistilBERT, an encoder-only model, is a good choice.
# - **B.** To write a long story from its first sentence, BERT is a good choice, since it sees both sides.
# - **C.** To complete a program from its first lines, a decoder-only model such as Llama is a good choice.
# - **D.** To translate, an encoder–decoder such as T5 is a good choice: it reads the source whole and writes the target.
# - **E.** FLAN-T5 is decoder-only, because it follows instructions.
# - **F.** To mark the names of people and places in a text, an encoder-only model is a good choice.
# - **G.** Decoder-only models cannot translate or summarise, because they have no cross-attention.
# - **H.** DistilBERT is a good choice for a chat that writes long replies, because it is small and fast.

# %% nbgrader={"grade": false, "grade_id": "task_to_family", "locked": false, "schema_version": 3, "solution": true, "task": false}
task_to_family = ...
### BEGIN SOLUTION
task_to_family = "ACDF"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: two questions</summary>
#
# For each task: is the whole input there beforehand, and is a text to be written? The names are in the list above the exercise.
# </details>
#
# <details><summary>Hint 2: can it, and is it made for it</summary>
#
# B, E, G and H all speak of writing. Ask of each model whether it was trained to write under a look-ahead mask.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Four of the eight are right. For G, recall what a prompt is: nothing forbids it to contain the source.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_task_to_family", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("task_to_family", task_to_family)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("task_to_family", task_to_family)
### END HIDDEN TESTS

# %% [markdown]
# What does writing cost? Count how often the model is called.


# %%
class CountingModel(SameLogits):
    calls = 0

    def forward(self, tokens):
        self.calls += 1
        return super().forward(tokens)


counting_model = CountingModel()
generate(counting_model, start[:1], 20)
calls = counting_model.calls
print(f"20 tokens written, {calls} calls one after the other; in training, 20 places need a single call")
for n in (1_000, 2_000, 4_000):
    print(f"n = {n}: {n * n:>12,} scores in each head of each layer")

# %% [markdown]
# ### Exercise 9 · `price_of_attention`
# *choose · ●●○ · 5 minutes · 3 points*
#
# What does self-attention give to a model of sequences, and at what price? Which statements are right?
#
# - **A.** Two tokens that stand far apart are one step from each other in a single layer.
# - **B.** In training, all places of a sequence are computed at the same time.
# - **C.** Time and memory for the scores grow with the square of the length.
# - **D.** Self-attention knows the order of its tokens without further help.
# - **E.** A decoder-only model writes all tokens of its answer at the same time.
# - **F.** A longer sequence needs more weights in the projections.
# - **G.** It assumes little about which tokens belong together, so with little data it may do worse than a model that assumes the right thing.

# %% nbgrader={"grade": false, "grade_id": "price_of_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
price_of_attention = ...
### BEGIN SOLUTION
price_of_attention = "ABCG"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: gifts</summary>
#
# Compare with a recurrent network, which passes a message from token to token.
# </details>
#
# <details><summary>Hint 2: prices</summary>
#
# The cell above prints two of them. What is it that has $n \times n$ entries, and is it a weight?
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Four are right. For D recall unit 03; for F write down the shape of $W_q$.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_price_of_attention", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("price_of_attention", price_of_attention)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("price_of_attention", price_of_attention)
### END HIDDEN TESTS

# %%
quiz("a_text_in_the_prompt")

# %% [markdown]
# ## 7 · Stretch: adapt a large model with few numbers
#
# A trained model should learn something new, and training all its weights is too dear. **LoRA** (low-rank adaptation) freezes a layer $W$ of shape `(out, in)` and trains a correction beside it, the product of two thin matrices, $B$ of shape `(out, r)` and $A$ of shape `(r, in)`:
#
# $$y = x W^\top + b + x A^\top B^\top$$
#
# (The paper multiplies the correction by a constant $\alpha / r$ as well; here the constant is 1, so leave it out.) $B$ starts at zero, so at first nothing changes; $A$ starts random, or else $B$ would never get a gradient. Afterwards the correction can be **merged**: $W + BA$ is one matrix again, and using it costs nothing extra.
#
# ### Exercise 10 · `LoRALinear`
# *code · ●●● · 15 minutes · 5 points*
#
# `base` is an `nn.Linear` with a bias. Names inside are free. What is asked, 1 point each: a new layer gives what its base gives; only `rank · (in + out)` numbers are trained, and the base is not; the correction is $x A^\top B^\top$; training changes the output and leaves the base; `merge()` returns a new `nn.Linear` with the same numbers, which shares none with the layer, and leaves the base as it is. Gradients pass through the frozen base to `x`, and a later `merge()` follows further training.


# %% nbgrader={"grade": false, "grade_id": "LoRALinear", "locked": false, "schema_version": 3, "solution": true, "task": false}
class LoRALinear(nn.Module):
    """A frozen linear layer with a trained correction of low rank beside it."""

    def __init__(self, base, rank):
        super().__init__()
        ### BEGIN SOLUTION
        self.base = base
        for parameter in base.parameters():
            parameter.requires_grad = False
        self.A = nn.Parameter(0.1 * torch.randn(rank, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, rank))
        ### END SOLUTION

    def forward(self, x):
        """x (..., in) gives (..., out)."""
        ### BEGIN SOLUTION
        return self.base(x) + (x @ self.A.T) @ self.B.T
        ### END SOLUTION

    @torch.no_grad()
    def merge(self):
        """One nn.Linear with the same numbers."""
        ### BEGIN SOLUTION
        merged = nn.Linear(self.base.in_features, self.base.out_features)
        merged.weight.copy_(self.base.weight + self.B @ self.A)
        merged.bias.copy_(self.base.bias)
        return merged
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: freeze</summary>
#
# `base.requires_grad_(False)`, or the same for each of its parameters, takes a layer out of training. `base.in_features` and `base.out_features` are its sizes.
# </details>
#
# <details><summary>Hint 2: two parameters</summary>
#
# `nn.Parameter(tensor)` is trained. One of shape `(rank, in)` with small random numbers, one of shape `(out, rank)` with zeros. In `forward` the correction is added to what the base gives.
# </details>
#
# <details><summary>Hint 3: merging</summary>
#
# Make a new `nn.Linear` of the same sizes; copy into its weight the sum of the base's weight and $B A$, and into its bias the base's bias. Do not touch the base itself: merging twice must give the same.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_LoRALinear", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check("LoRALinear", LoRALinear)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("LoRALinear", LoRALinear)
### END HIDDEN TESTS

# %% [markdown]
# A layer has learned some task; the new task differs from it by a change of rank 2. **What to see:** rank 1 gets stuck, rank 2 is enough, and rank 4 does no better in the end. At step 1 all start from the same loss, that of the frozen layer. And merging changes no output beyond rounding.

# %%
torch.manual_seed(0)
old = nn.Linear(32, 24)
change = torch.randn(24, 2) @ torch.randn(2, 32) / 8
x = torch.randn(256, 32)
target = (old(x) + x @ change.T).detach()


def adapt(rank, steps=200):
    torch.manual_seed(0)
    layer = LoRALinear(old, rank)
    batches = (x for _ in range(steps))
    return layer, train(layer, batches, lambda layer, x: (layer(x) - target).square().mean(), lr=0.02)


adapted = {f"rank {rank}": adapt(rank) for rank in (1, 2, 4)}
layer = adapted["rank 2"][0]
trained = sum(p.numel() for p in layer.parameters() if p.requires_grad)
print(f"rank 2 trains {trained} numbers beside the {old.weight.numel()} weights of the layer")
print(f"largest difference after merging: {(layer.merge()(x) - layer(x)).abs().max().item():.1e}")
large, small = 4096 * 4096, 8 * (4096 + 4096)
print(f"a layer of 4096 × 4096 at rank 8: {small:,} numbers, {small / large:.2%} of {large:,}")

# %%
plots.curves(
    "A change of rank 2, learned with corrections of rank 1, 2 and 4",
    {name: losses for name, (_, losses) in adapted.items()},
    y_label="mean squared error",
    log_y=True,
)

# %%
quiz("two_zeros")

# %% [markdown]
# **Where you stand.** Run the checks above, then this cell: it says which of them pass and which points are still open.

# %%
progress("07")

# %% [markdown]
# ## What to take along
#
# | | encoder-only | decoder-only | encoder–decoder |
# |:--|:--|:--|:--|
# | mask | padding | look-ahead | look-ahead in the decoder, padding in the encoder and across |
# | objective | hidden tokens | next token | next token of the target |
# | learns from | the hidden places | every place | every place of the target |
# | made for | reading | writing | reading one text, writing another |
# | names | BERT, DistilBERT | GPT, Llama | T5, FLAN-T5 |
#
# Two sentences to keep: *the blocks are the same, the mask makes the family*; and *judge a sampler by its odds, not by its seed*.
#
# Next, unit 08 cuts an image into patches and hands them to the encoder-only family.
