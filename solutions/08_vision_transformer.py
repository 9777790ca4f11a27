# %% [markdown]
# # 08 · Vision Transformer
#
# <!-- course map -->
#
# A sentence is a row of words. What is a picture? Cut it into little squares, lay them side by side, and it is a row of tokens too; everything you have built since unit 01 then works on pictures without a change. That is the whole idea of the **Vision Transformer**, the ViT. You will build one, teach it to read handwritten digits in a few seconds, look at where it looks, and find out, by measuring, what it does not know about pictures.
#
# **At the end you will be able to**
# - turn images into patches and back, and show that a patch embedding is a convolution in disguise;
# - build a Vision Transformer with a class token and learned positions, and train it to read digits;
# - carry its positions over to a larger image;
# - say what a ViT has to learn that a convolutional network is given, with your own measurements and their error bars;
# - hold the whole course on one printed page.
#
# **Time:** about 120 minutes. **Points:** 45, in twelve exercises.
#
# From earlier units you get `EncoderBlock` and `LayerNorm`, ready to use. In the last section you can put your own in their place.

# %%
from dataclasses import replace
from statistics import mean

import torch
import torch.nn.functional as F
from torch import nn

from course_lib import plots
from course_lib.checks import check
from course_lib.models.configs import ViTConfig
from course_lib.nn.blocks import EncoderBlock
from course_lib.nn.norm import LayerNorm
from course_lib.portfolio.cheatsheet import write_summary
from course_lib.portfolio.student_parts import carry_over, gather_parts, show_parts
from course_lib.tasks.digits import Images, image_batches, load_images
from course_lib.training.attention_hooks import record_attention
from course_lib.training.loop import ProgressBar, train, warm_up_and_down
from course_lib.widgets import explore_image_attention, explore_patches, progress, quiz

# %% [markdown]
# The pictures are 1797 digits of 8 × 8 pixels, written by hand, that come with scikit-learn: 1400 to learn from and 397 to be tested on. Grey goes from 0 to 1.

# %%
training, test = load_images()
print("images", tuple(training.images.shape), "labels", tuple(training.labels.shape))
plots.image_row({f"image {i}: a {training.labels[i]}": training.images[i, 0] for i in range(5)})

# %% [markdown]
# ## 1 · An image as a sentence
#
# Cut an image of $H \times W$ pixels and $C$ channels into squares of $p \times p$. There are
#
# $$N = \frac{H}{p} \cdot \frac{W}{p}$$
#
# of them, read **row by row** like a page, and each is flattened into $C \cdot p \cdot p$ numbers: first the whole first channel of the square, row by row, then the second, and so on, in short `(C, p, p)`. So `(B, C, H, W)` becomes `(B, N, C·p·p)`: a batch of sentences.

# %% [markdown]
# ### Exercise 1 · `patchify`
# *code · ●●○ · 15 minutes · 4 points*
#
# What is asked: each patch is one token (2½), also when one patch is the whole image (½); an error with a message when $p$ does not divide the height (¼) or the width (¼); gradients reach the images (½). Images need not be square. Any way is allowed.


# %% nbgrader={"grade": false, "grade_id": "patchify", "locked": false, "schema_version": 3, "solution": true, "task": false}
def patchify(images, patch):
    """Cut images into squares: (B, C, H, W) gives (B, N, C·patch·patch)."""
    ### BEGIN SOLUTION
    batch, channels, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"{patch} × {patch} patches do not fill a {height} × {width} image")
    down, across = height // patch, width // patch
    cut = images.reshape(batch, channels, down, patch, across, patch)
    cut = cut.permute(0, 2, 4, 1, 3, 5)  # (B, down, across, C, patch, patch)
    return cut.reshape(batch, down * across, channels * patch * patch)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: divide first</summary>
#
# Ask whether `height % patch` and `width % patch` are 0, and raise a `ValueError` with a sentence if not. Then there are `height // patch` rows of patches and `width // patch` columns.
# </details>
#
# <details><summary>Hint 2: cut, then reorder</summary>
#
# `reshape` moves no number, so it cannot collect a square at once: two pixels one above the other lie far apart in memory. But it can cut one dimension into two. A height of `rows · p` pixels is `(rows, p)`: which row of patches, and which row of pixels within it. Cut the width in the same way; you then have six dimensions.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# The six dimensions are `(B, C, rows, p, columns, p)`. With `permute`, bring the two that number the patches to the front, and keep `C, p, p` behind them in this order: `(B, rows, columns, C, p, p)`. A last `reshape` makes one dimension of rows and columns and one of the rest.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_patchify", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("patchify", patchify)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("patchify", patchify)
### END HIDDEN TESTS

# %% [markdown]
# Your patches, drawn. **What to see:** the image is cut into 4 × 4 patches, numbered as one reads, and each row on the right is one of them: its four pixels, top left, top right, bottom left, bottom right. Token 0 is the white corner.

# %%
picture = training.images[2:3]
plots.patch_tokens(picture[0, 0], patchify(picture, 2)[0], patch=2)

# %% [markdown]
# **Try it.** Choose a patch and follow it from its place in the image to its row of numbers, as your function cuts it; then cut larger or smaller patches.

# %%
explore_patches(patchify, training.images)

# %% [markdown]
# ### Exercise 2 · `unpatchify`
# *code · ●●○ · 10 minutes · 2 points*
#
# The way back, so that `unpatchify(patchify(images, p), p, H, W)` is `images`. The number of channels follows from the width of a token. What is asked: every patch in its place (1), also with one channel, of which `(B, 1, height, width)` is made (½); an error with a message when $p$ does not divide `height` (¼) or `width` (¼).


# %% nbgrader={"grade": false, "grade_id": "unpatchify", "locked": false, "schema_version": 3, "solution": true, "task": false}
def unpatchify(patches, patch, height, width):
    """Put the squares together again: (B, N, C·patch·patch) gives (B, C, height, width)."""
    ### BEGIN SOLUTION
    if height % patch or width % patch:
        raise ValueError(f"a {height} × {width} image cannot be made of {patch} × {patch} patches")
    batch, rows, columns = len(patches), height // patch, width // patch
    squares = patches.reshape(batch, rows, columns, -1, patch, patch)
    in_order = squares.permute(0, 3, 1, 4, 2, 5)  # (B, C, rows, patch, columns, patch)
    return in_order.reshape(batch, -1, height, width)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: undo in reverse</summary>
#
# Patchify was: cut, reorder, glue. So: cut what was glued, reorder back, glue what was cut.
# </details>
#
# <details><summary>Hint 2: take tokens apart</summary>
#
# Two dimensions were glued from five: $N$ is `(rows, columns)` and a token is `(C, p, p)`. `reshape` to six dimensions; the number of channels may be `-1`.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# From `(B, rows, columns, C, p, p)`, `permute` to `(B, C, rows, p, columns, p)`: rows next to the first `p` make the height, columns next to the second make the width. Then `reshape` to `(B, C, height, width)`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_unpatchify", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("unpatchify", unpatchify)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("unpatchify", unpatchify)
### END HIDDEN TESTS

# %% [markdown]
# **What to see:** the second image is the first, cut and put together again. In the third the patches are put together in another order. A person can hardly read it any more; hold on to that for section 5.

# %%
order = torch.randperm(16, generator=torch.Generator().manual_seed(0))


def shuffled(images):
    """The same patches, each image in the same new order."""
    return unpatchify(patchify(images, 2)[:, order], 2, 8, 8)


there_and_back = unpatchify(patchify(picture, 2), 2, 8, 8)
plots.image_row(
    {"the image": picture[0, 0], "there and back": there_and_back[0, 0], "shuffled": shuffled(picture)[0, 0]}
)

# %% [markdown]
# **Practice.** After each section comes one question that counts for nothing. Choose an answer and read why it is right, or why not.

# %%
quiz("tokens_of_an_image")

# %% [markdown]
# ## 2 · One linear map for every patch
#
# Words were looked up in a table; patches are numbers already, so one linear map brings them to width $d$:
#
# $$\text{tokens} = \operatorname{patchify}(\text{images})\;W^\top + b \qquad W \text{ of shape } (d,\ C\,p\,p)$$

# %% [markdown]
# ### Exercise 3 · `PatchEmbedding`
# *code · ●○○ · 5 minutes · 3 points*
#
# Write the module with your `patchify` and one `nn.Linear` (with bias) called `proj`. What is asked: the tokens `(B, N, d_model)` (2), also for grey images and larger patches (½); gradients reach the images (½). The grader gives `proj` its own weights.


# %% nbgrader={"grade": false, "grade_id": "PatchEmbedding", "locked": false, "schema_version": 3, "solution": true, "task": false}
class PatchEmbedding(nn.Module):
    """Every patch through the same linear map."""

    def __init__(self, patch, in_channels, d_model):
        super().__init__()
        ### BEGIN SOLUTION
        self.patch = patch
        self.proj = nn.Linear(in_channels * patch**2, d_model)
        ### END SOLUTION

    def forward(self, images):
        """images (B, C, H, W) gives tokens (B, N, d_model)."""
        ### BEGIN SOLUTION
        cut = patchify(images, self.patch)
        return self.proj(cut)
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: what to keep</summary>
#
# `forward` needs the size of a patch and the linear layer, so keep both in `__init__`: `self.patch` and `self.proj`.
# </details>
#
# <details><summary>Hint 2: the order of steps</summary>
#
# Cut first with your `patchify`, then project. `nn.Linear` works on the last dimension and leaves the others alone, so all patches of all images go through in one call.
# </details>
#
# <details><summary>Hint 3: the width</summary>
#
# A patch has `in_channels · patch · patch` numbers; that is the first argument of `nn.Linear`, and `d_model` the second.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_PatchEmbedding", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("PatchEmbedding", PatchEmbedding)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("PatchEmbedding", PatchEmbedding)
### END HIDDEN TESTS

# %% [markdown]
# **A convolution in disguise.** A convolution slides a window over the image and multiplies what it sees with a kernel. Let the window be as large as a patch and let it **jump** by a whole patch each time: then it sees exactly the patches, once each, and multiplies each with the same numbers. With the kernel of channel $k$ called $K_k$, of shape `(C, p, p)`:
#
# $$\text{out}[k,\ r,\ c] = b_k + \sum_{\text{channel},\,i,\,j} K_k[\text{channel},\,i,\,j]\;\cdot\;\text{image}[\text{channel},\ rp + i,\ cp + j]$$
#
# This is your linear layer, number for number, if row $k$ of $W$ and $K_k$ hold the same numbers in the same order.

# %% [markdown]
# ### Exercise 4 · `to_convolution`
# *code · ●●○ · 10 minutes · 3 points*
#
# Given an embedding with `patch` and `proj`, return a new `nn.Conv2d` that computes the same: the numbers of `proj` carried over (1½), also with one channel and other patches (½). It shares nothing with the embedding, so training it changes it, weight and bias, and not the embedding (½); the embedding stays as it was, also in whether it can be trained (½). Copy numbers under `torch.no_grad()`.


# %% nbgrader={"grade": false, "grade_id": "to_convolution", "locked": false, "schema_version": 3, "solution": true, "task": false}
def to_convolution(embedding):
    """An nn.Conv2d with the numbers of a patch embedding: (B, C, H, W) gives (B, d_model, H/p, W/p)."""
    ### BEGIN SOLUTION
    d_model, size = embedding.proj.weight.shape
    channels = size // embedding.patch**2
    convolution = nn.Conv2d(channels, d_model, kernel_size=embedding.patch, stride=embedding.patch)
    kernel = embedding.proj.weight.detach().reshape(convolution.weight.shape)
    convolution.load_state_dict({"weight": kernel, "bias": embedding.proj.bias.detach()})  # which copies
    return convolution
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: which convolution</summary>
#
# `nn.Conv2d(in_channels, out_channels, kernel_size=…, stride=…)`: windows as large as a patch that do not overlap. `proj.weight` is `(d_model, C·p·p)`, which tells you both numbers of channels.
# </details>
#
# <details><summary>Hint 2: what to do with the weight</summary>
#
# The kernel is stored as `(d_model, C, p, p)`, and your patches were flattened as `(C, p, p)`. So each row of `proj.weight` has the right numbers in the right order; only its shape is another.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `with torch.no_grad():` then `convolution.weight.copy_(…)` with the reshaped weight, and `convolution.bias.copy_(…)`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_to_convolution", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("to_convolution", to_convolution)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("to_convolution", to_convolution)
### END HIDDEN TESTS

# %% [markdown]
# See for yourself. The two forms differ by rounding and nothing else; `flatten(2).mT` turns the grid `(B, d, rows, columns)` into rows of tokens.

# %%
torch.manual_seed(0)
embedding = PatchEmbedding(2, in_channels=1, d_model=32)
as_tokens = embedding(training.images)
as_convolution = to_convolution(embedding)(training.images).flatten(2).mT
print("linear form     ", tuple(as_tokens.shape))
print("convolution form", tuple(as_convolution.shape))
print("largest difference", (as_tokens - as_convolution).abs().max().item())

# %%
quiz("window_of_one_step")

# %% [markdown]
# ## 3 · The Vision Transformer
#
# A classifier needs **one** vector for the whole image, and an encoder gives one for each token. The ViT adds a token that stands for no patch, the **class token**: a learned vector, the same for every image, put in front. It goes through all the blocks, looks at whatever it needs, and at the end the classifier reads it alone.
#
# And since attention does not see order (unit 03), every place gets a position. The Transformer of 2017 used fixed sines and cosines; the ViT simply **learns a table** with a row for each place, $1 + N$ of them:
#
# $$z_0 = [\,\text{class token};\ \text{patches}\,] + \text{positions} \qquad z_{l} = \operatorname{block}_l(z_{l-1}) \qquad \text{logits} = \operatorname{head}\big(\operatorname{norm}(z_L)[0]\big)$$
#
# The blocks normalise **before** each sublayer (`norm_first=True`), so their sums are never normalised; hence one more `norm` at the end.

# %% [markdown]
# The sizes come in a `ViTConfig(image_size, patch, in_channels, num_classes, d_model, num_heads, d_ff, num_layers, dropout=0.0)`, for square images; `config.d_model` is the width, and so on.

# %% [markdown]
# ### Exercise 5 · `VisionTransformer`
# *code · ●●● · 25 minutes · 8 points*
#
# Write the module. Its parts, by these names, for the grader gives them its own weights:
#
# | part | what it is |
# |:--|:--|
# | `embedding` | your `PatchEmbedding` |
# | `class_token` | an `nn.Parameter` of shape `(1, 1, d_model)` |
# | `positions` | an `nn.Parameter` of shape `(1, 1 + N, d_model)` |
# | `blocks` | an `nn.ModuleList` of `num_layers` times `EncoderBlock(d_model, num_heads, d_ff, dropout, norm_first=True)` |
# | `norm`, `head` | a `LayerNorm(d_model)`, and an `nn.Linear` to `num_classes` |
#
# Start class token and positions with small random numbers, `0.02 * torch.randn(…)`. What is asked: the class token in front, then the patches, all with positions (2½); all blocks in order, which normalise first (2); the norm, and the head on the class token (2); all of it together with other sizes and a dropout that is off in `eval` mode (½); gradients reach the images (½); images left unchanged (½). Each of the first three is tried on its own, so a slip in one costs nothing in the others. Dropout after the positions are added is usual and up to you.


# %% nbgrader={"grade": false, "grade_id": "VisionTransformer", "locked": false, "schema_version": 3, "solution": true, "task": false}
class VisionTransformer(nn.Module):
    """An encoder that reads an image as a sentence of patches."""

    def __init__(self, config):
        super().__init__()
        ### BEGIN SOLUTION
        d, places = config.d_model, 1 + (config.image_size // config.patch) ** 2
        self.embedding = PatchEmbedding(config.patch, config.in_channels, d)
        self.class_token = nn.Parameter(0.02 * torch.randn(1, 1, d))
        self.positions = nn.Parameter(0.02 * torch.randn(1, places, d))
        self.drop = nn.Dropout(p=config.dropout)
        blocks = [EncoderBlock(d, config.num_heads, config.d_ff, config.dropout, norm_first=True)]
        for _ in range(config.num_layers - 1):
            blocks.append(EncoderBlock(d, config.num_heads, config.d_ff, config.dropout, norm_first=True))
        self.blocks = nn.ModuleList(blocks)
        self.norm = LayerNorm(d)
        self.head = nn.Linear(d, config.num_classes)
        ### END SOLUTION

    def forward(self, images):
        """images (B, C, image_size, image_size) gives logits (B, num_classes)."""
        ### BEGIN SOLUTION
        token = self.class_token.expand(len(images), -1, -1)
        z = self.drop(torch.cat([token, self.embedding(images)], dim=1) + self.positions)
        for layer in self.blocks:
            z = layer(z)
        return self.head(self.norm(z)[:, 0])
        ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: in __init__</summary>
#
# There are $N$ = `(image_size // patch) ** 2` patches, so `positions` is `(1, 1 + N, d_model)`. A list of blocks must be an `nn.ModuleList`, or its weights would not be found; each block is a new one, made inside the list.
# </details>
#
# <details><summary>Hint 2: in forward</summary>
#
# Four steps: embed the images; put the class token in front of the patches of **every** image (`self.class_token.expand(B, -1, -1)` makes $B$ of it, `torch.cat([…], dim=1)` joins along the tokens); add the positions to all of them; go through the blocks one after the other.
# </details>
#
# <details><summary>Hint 3: reading the answer</summary>
#
# After the last block: `norm`, then token 0 of every image, `[:, 0]`, then `head`. No softmax: the loss does that.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_VisionTransformer", "locked": true, "points": 8, "schema_version": 3, "solution": false, "task": false}
check("VisionTransformer", VisionTransformer)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("VisionTransformer", VisionTransformer)
### END HIDDEN TESTS

# %%
quiz("one_token_for_all")

# %% [markdown]
# ## 4 · Learning to read
#
# Three functions, given: `fit` takes a model, images and a number of steps; `accuracy` is the share of images read rightly; `new_vit` makes your model, always with the same random start.


# %%
def fit(model, data, steps=300, batch=64, lr=5e-3, seed=0, watch=None):
    """Train a model on images; returns the losses."""

    def loss_of(model, some):
        return F.cross_entropy(model(some.images), some.labels)

    return train(model, image_batches(data, steps, batch, seed), loss_of, warm_up_and_down(steps, lr), watch)


@torch.no_grad()
def accuracy(model, data):
    model.eval()
    return (model(data.images).argmax(-1) == data.labels).double().mean().item()


config = ViTConfig(image_size=8, patch=2, in_channels=1, num_classes=10, d_model=32, num_heads=4, d_ff=64, num_layers=2)


def new_vit():
    """A new model of these sizes, every time with the same random numbers."""
    torch.manual_seed(0)
    return VisionTransformer(config)


# %% [markdown]
# ### Exercise 6 · `digits_accuracy`
# *experiment · ●○○ · 5 minutes · 3 points*
#
# Make a model with `new_vit()`, call it `vit`, fit it to `training` with the settings given (300 steps, some seconds; hand `watch=ProgressBar(300)` to `fit` to see it go) and measure. Hand in the accuracy on the `test` images, at least 90 % of what it never saw (1¼), and on the `training` images (1¾, which count only together with the first).

# %% nbgrader={"grade": false, "grade_id": "digits_accuracy", "locked": false, "schema_version": 3, "solution": true, "task": false}
digits_accuracy = {"training": ..., "test": ...}
### BEGIN SOLUTION
vit = new_vit()
losses = fit(vit, training, watch=ProgressBar(300))
digits_accuracy = {"training": accuracy(vit, training), "test": accuracy(vit, test)}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: three lines</summary>
#
# A model, a call of `fit`, two calls of `accuracy`. Keep what `fit` returns in `losses`: the picture below wants it.
# </details>
#
# <details><summary>Hint 2: if it does not learn</summary>
#
# A loss that stays near 2.3, which is $\ln 10$, is guessing. Does the check of exercise 5 pass? Did you measure the model that was trained, or a new one?
# </details>
#
# <details><summary>Hint 3: measuring</summary>
#
# `accuracy(vit, training)` and `accuracy(vit, test)`.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_digits_accuracy", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("digits_accuracy", digits_accuracy)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("digits_accuracy", digits_accuracy)
### END HIDDEN TESTS

# %% [markdown]
# **What to see:** the loss begins near $\ln 10 \approx 2.3$, where all ten digits are equally likely, stays there for some fifty steps, and then falls quickly. The pale line is each step, the strong one a mean over twenty.

# %%
plots.curves("Learning to read digits", {"training loss": losses}, smooth=20, levels={"guessing, ln 10": 2.303})

# %% [markdown]
# ### Where the class token looks
#
# In the last block, the class token's row of the attention map says how much it takes from each patch. Without its own column there are 16 weights, a 4 × 4 grid that can be laid over the image; here is the mean over the four heads. **What to see:** the weights differ from image to image, as attention is made anew for each input. For most digits one or two patches near the upper middle get the larger part, whether they hold ink or not: white where ink could have been says as much as black. For the 6 the weights are nearly equal. Be careful with such pictures: they show where *this* block looks, after another block has already mixed the patches.

# %%
shown = test.first(5)
with torch.no_grad(), record_attention(vit) as record:
    read = vit(shown.images).argmax(-1)
from_class_token = record["blocks.1.self_attention"][:, :, 0, 1:].mean(1)  # (5, 16), a mean over heads
titles = [f"a {label}, read as {found}" for label, found in zip(shown.labels, read, strict=True)]
plots.image_attention(shown.images[:, 0], from_class_token.unflatten(-1, (4, 4)), titles)

# %% [markdown]
# **Try it.** Go through images, blocks and heads of your own model, and let a patch look instead of the class token.

# %%
explore_image_attention(vit, test.images)

# %%
quiz("untrained_loss")

# %% [markdown]
# ## 5 · What positions are for
#
# Without positions, self-attention is equivariant: shuffle the patches and the outputs move along (unit 03). The class token is not shuffled, and it takes weighted averages, for which order does not matter. So its output, and with it the answer, is **invariant**: the model sees a bag of patches. How much can it read in a bag? And if the patches of **all** images are shuffled in the same way, for training and testing: does it matter?

# %% [markdown]
# ### Exercise 7 · `shuffled_patches`
# *experiment · ●●○ · 10 minutes · 4 points*
#
# Measure five accuracies on the test images. You have `vit`, trained with positions. Train two more, each made with `new_vit()` and trained with `fit` as before: one whose positions are zero and stay so (`model.positions.requires_grad_(False).zero_()` before training), and one with positions, trained on `shuffled_training`. Points: with positions, in order and shuffled (1½); without, in order and shuffled (1½); shuffled all along (1).

# %%
shuffled_training = Images(shuffled(training.images), training.labels)
shuffled_test = Images(shuffled(test.images), test.labels)

# %% nbgrader={"grade": false, "grade_id": "shuffled_patches", "locked": false, "schema_version": 3, "solution": true, "task": false}
shuffled_patches = {
    "positions, in order": ...,
    "positions, shuffled": ...,
    "no positions, in order": ...,
    "no positions, shuffled": ...,
    "positions, trained and tested shuffled": ...,
}
### BEGIN SOLUTION
bag = new_vit()
bag.positions.requires_grad_(False).zero_()
fit(bag, training)
used_to_it = new_vit()
fit(used_to_it, shuffled_training)
shuffled_patches = {
    "positions, in order": accuracy(vit, test),
    "positions, shuffled": accuracy(vit, shuffled_test),
    "no positions, in order": accuracy(bag, test),
    "no positions, shuffled": accuracy(bag, shuffled_test),
    "positions, trained and tested shuffled": accuracy(used_to_it, shuffled_test),
}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: five measurements, three models</summary>
#
# `vit` on `test` and on `shuffled_test`; the model without positions on both; the third one on `shuffled_test` alone.
# </details>
#
# <details><summary>Hint 2: keeping positions at zero</summary>
#
# `requires_grad_(False)` tells the optimizer to leave the table alone, and `zero_()` empties it. Both must come before `fit`.
# </details>
#
# <details><summary>Hint 3: what to expect</summary>
#
# The two numbers of the model without positions must be the same to the last digit. If they are not, its positions were trained.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_shuffled_patches", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("shuffled_patches", shuffled_patches)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("shuffled_patches", shuffled_patches)
### END HIDDEN TESTS

# %%
for name, measured in shuffled_patches.items():
    print(f"{name:40} {measured:.3f}")

# %% [markdown]
# **What to see:** shuffled, the ViT with positions is as bad as guessing. Without positions it is worse than with them, and shuffling changes **nothing**: a bag of 2 × 2 patches still says a lot about a digit. And trained on shuffled images it is as good as ever. To you the shuffled digit was a riddle; to the ViT it was never more of a riddle than the straight one, because nobody told it which patches are neighbours. Its table of positions starts as noise either way.

# %% [markdown]
# ### Exercise 8 · `positions_here_and_there`
# *choose · ●○○ · 5 minutes · 3 points*
#
# Which statements about positions in the ViT and in the Transformer of 2017 are true? Set the variable to all the letters that are.
#
# - **A** The Transformer of 2017 learns its positional encodings.
# - **B** The ViT's positions are trained with the other weights, a row for the class token and one for each patch.
# - **C** A learned table can be read at any position, also beyond the last row it was trained with.
# - **D** In both models positions are added to the tokens once, before the first block.
# - **E** With all positions set to zero, the ViT gives an image and its shuffled patches the same logits.
# - **F** The ViT's positions contain the row and the column of a patch by construction.

# %% nbgrader={"grade": false, "grade_id": "positions_here_and_there", "locked": false, "schema_version": 3, "solution": true, "task": false}
positions_here_and_there = ...
### BEGIN SOLUTION
positions_here_and_there = "BDE"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: look back</summary>
#
# Unit 03 has both kinds: `sinusoidal_encoding` is a formula, `LearnedPositions` a table that raises an error.
# </details>
#
# <details><summary>Hint 2: look at your module</summary>
#
# What does `VisionTransformer(config).positions` hold before training? In which line of `forward` is it used?
# </details>
#
# <details><summary>Hint 3: look at your numbers</summary>
#
# Exercise 7 answers E.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_positions_here_and_there", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("positions_here_and_there", positions_here_and_there)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("positions_here_and_there", positions_here_and_there)
### END HIDDEN TESTS

# %%
quiz("scrambled_inside")

# %% [markdown]
# ## 6 · Positions for a larger image
#
# A ViT trained on 8 × 8 images has a table for 4 × 4 patches. Give it a 12 × 12 image and there are 6 × 6. Patches are no problem, the blocks take any number of tokens, but which positions should the new places get? Lay the old rows out on their grid and **interpolate** between them, as one enlarges a photograph; each of the $d$ features is one such photograph:
#
# $$(1,\ 1 + h w,\ d)\ \to\ \underbrace{(1,\ d,\ h,\ w)\ \to\ (1,\ d,\ h',\ w')}_{\text{bicubic}}\ \to\ (1,\ 1 + h' w',\ d)$$
#
# The class token stands nowhere in the image: its row is taken off before and put back after.

# %% [markdown]
# ### Exercise 9 · `interpolate_positions`
# *code · ●●○ · 10 minutes · 4 points*
#
# Grids are `(height, width)` and need not be square. Use `F.interpolate(grid, size=…, mode="bicubic", align_corners=False)`, which wants `(1, d, h, w)`. What is asked: a larger grid (2½), a smaller one (½), the same one changes nothing (½), the argument is left unchanged (½).


# %% nbgrader={"grade": false, "grade_id": "interpolate_positions", "locked": false, "schema_version": 3, "solution": true, "task": false}
def interpolate_positions(pos, old_grid, new_grid):
    """Positions for another grid: pos (1, 1 + h·w, d) gives (1, 1 + h'·w', d), class token first."""
    ### BEGIN SOLUTION
    class_row, rows = pos[:, :1], pos[:, 1:]
    photographs = rows.reshape(1, *old_grid, -1).permute(0, 3, 1, 2)  # (1, d, h, w)
    enlarged = F.interpolate(photographs, size=tuple(new_grid), mode="bicubic", align_corners=False)
    return torch.cat([class_row, enlarged.flatten(2).transpose(1, 2)], dim=1)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: three pieces</summary>
#
# Split off `pos[:, :1]`, the class token's row. What remains is `(1, h·w, d)`. At the end, `torch.cat` puts the row back in front.
# </details>
#
# <details><summary>Hint 2: from rows to a grid</summary>
#
# The `h·w` rows are the places row by row, so `reshape(1, h, w, d)` lays them out. `F.interpolate` wants features before places: `permute(0, 3, 1, 2)`. A direct `reshape(1, d, h, w)` would mix places with features.
# </details>
#
# <details><summary>Hint 3: and back</summary>
#
# After interpolating, `(1, d, h', w')` goes back the same way: `permute(0, 2, 3, 1)`, then `reshape(1, h'·w', d)`; or `flatten(2)` and a transposition.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_interpolate_positions", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("interpolate_positions", interpolate_positions)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("interpolate_positions", interpolate_positions)
### END HIDDEN TESTS

# %% [markdown]
# One feature of the table that `vit` learned, on its own grid and on three others. **What to see:** the same hills and valleys, drawn finer or coarser.

# %%
learned = vit.positions.detach()
grids = {f"{h} × {w}": (h, w) for h, w in ((4, 4), (6, 6), (8, 6), (3, 3))}
features = {
    name: interpolate_positions(learned, (4, 4), grid)[0, 1:, 0].unflatten(0, grid) for name, grid in grids.items()
}
plots.grid_maps("Feature 0 of the learned positions", features)

# %% [markdown]
# Does it help? The test digits, enlarged to 12 × 12, are shown to the same network three times: with interpolated positions, with the old rows repeated from the start, and with random ones. Nothing is trained anew.


# %%
def read_enlarged(positions, size=12):
    """Accuracy of the trained network on enlarged test images, with these positions."""
    larger = VisionTransformer(replace(config, image_size=size))
    larger.load_state_dict(vit.state_dict() | {"positions": positions})
    enlarged = F.interpolate(test.images, (size, size), mode="bilinear")
    return accuracy(larger, Images(enlarged, test.labels))


torch.manual_seed(0)
class_row, rows = learned[:, :1], learned[:, 1:]
print("interpolated     ", round(read_enlarged(interpolate_positions(learned, (4, 4), (6, 6))), 3))
print("repeated in order", round(read_enlarged(torch.cat([class_row, rows.repeat(1, 3, 1)[:, :36]], 1)), 3))
print("random           ", round(read_enlarged(torch.cat([class_row, 0.02 * torch.randn(1, 36, 32)], 1)), 3))

# %% [markdown]
# We measured 0.62, 0.06 and 0.13: interpolated positions carry most of what was learned to the new grid, and the others nothing. They do not carry everything: a 2 × 2 patch of an enlarged digit shows a smaller piece of it, and the new positions lie between those that were trained. In practice interpolation is the **start** of some further training at the new size.

# %%
quiz("rows_of_a_new_table")

# %% [markdown]
# ## 7 · What a convolution knows without learning it
#
# A convolutional network, a CNN, is built on two beliefs about pictures: what matters is **near** (a filter sees a small neighbourhood), and a thing is the same thing **wherever** it stands (the filter is the same everywhere). Such built-in beliefs are called **inductive biases**. The ViT has hardly any: its patches, and the one map they share, are the last trace of them. Beliefs that are true should save examples. Do they? Here are a small CNN and a small ViT with equally many steps; the ViT uses patches of 4 × 4 and one block, the best of those we tried within this time.


# %%
def small_cnn():
    return nn.Sequential(
        *(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Flatten(), nn.Linear(32 * 2 * 2, 10)),
    )


def small_vit():
    return VisionTransformer(replace(config, patch=4, num_layers=1))


def accuracy_after(make, count, seed):
    """Train a new model on `count` images, and test it; each seed also deals the images anew."""
    torch.manual_seed(seed)
    some, others = load_images(seed)
    model = make()
    fit(model, some.first(count), steps=150, batch=32, lr=1e-2, seed=seed)
    return accuracy(model, others)


for make in (small_cnn, small_vit):
    print(make.__name__, sum(p.numel() for p in make().parameters()), "parameters")

# %% [markdown]
# ### Exercise 10 · `cnn_against_vit`
# *experiment · ●●○ · 10 minutes · 4 points*
#
# One run says little: another seed, another number. Fill `runs` with the accuracies for seeds 0, 1 and 2, for both models and for 50, 200 and 1000 images (18 runs, some ten seconds), and hand in the six **means**: ¾ of a point for each with 50 images, 1¼ for the other two of each model.

# %% nbgrader={"grade": false, "grade_id": "cnn_against_vit", "locked": false, "schema_version": 3, "solution": true, "task": false}
runs = {"cnn": {50: [], 200: [], 1000: []}, "vit": {50: [], 200: [], 1000: []}}
cnn_against_vit = {f"{name} {count}": ... for name in runs for count in runs[name]}
### BEGIN SOLUTION
for name, make in (("cnn", small_cnn), ("vit", small_vit)):
    for count, values in runs[name].items():
        values.extend(accuracy_after(make, count, seed) for seed in range(3))
cnn_against_vit = {f"{name} {count}": mean(runs[name][count]) for name in runs for count in runs[name]}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: three loops</summary>
#
# Over the two models, over the three counts, over the three seeds. In the innermost: append `accuracy_after(make, count, seed)` to `runs[name][count]`.
# </details>
#
# <details><summary>Hint 2: means</summary>
#
# `mean(runs["cnn"][50])` goes to `cnn_against_vit["cnn 50"]`, and so on.
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# The outer loop goes over two pairs, the name `"cnn"` with `small_cnn` and the name `"vit"` with `small_vit`. The dict of means can be built afterwards, by name and count.
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_cnn_against_vit", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("cnn_against_vit", cnn_against_vit)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("cnn_against_vit", cnn_against_vit)
### END HIDDEN TESTS

# %%
plots.error_bars(
    "A small CNN and a small ViT", {"CNN": runs["cnn"], "ViT": runs["vit"]}, "training images", "test accuracy"
)

# %% [markdown]
# **What to see:** open circles are single runs; filled ones are means, with bars of one standard deviation up and down. With ten seeds, the lead of the CNN was 0.14 with 50 training images, 0.05 with 200 and 0.03 with 1000; a single run with 50 images is off by about 0.06.
#
# The CNN leads by most where images are fewest, and its lead shrinks; but **there is no crossover** up to 1000 images. You may have read that ViTs win with enough data: that was seen with millions of images, and these are tiny pictures and tiny models. Be as careful with our numbers. With a learning rate of 5e-3 instead of 1e-2 (five seeds) the ViT was ahead by 0.01 with 1000 images: the order is reversed, only because the CNN had not finished learning. A comparison is one of two **recipes**, never of two ideas alone.

# %% [markdown]
# ### Exercise 11 · `inductive_biases`
# *choose · ●●○ · 5 minutes · 3 points*
#
# Which statements are true? Set the variable to all the letters that are.
#
# - **A** A convolutional layer uses the same filter at every position of the image.
# - **B** In its first block already, a ViT can combine patches from opposite corners.
# - **C** A new ViT knows which patches are neighbours.
# - **D** With enough data a ViT must become better than a CNN, because it has fewer biases.
# - **E** The patch embedding of a ViT is a convolution whose stride equals its kernel size.
# - **F** Our experiment shows that a CNN is better than a ViT on any image task of this size.

# %% nbgrader={"grade": false, "grade_id": "inductive_biases", "locked": false, "schema_version": 3, "solution": true, "task": false}
inductive_biases = ...
### BEGIN SOLUTION
inductive_biases = "ABE"
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: use what you built</summary>
#
# Exercise 4 answers E, and unit 04 (`convolution_head`) says where a filter looks and where attention may.
# </details>
#
# <details><summary>Hint 2: use what you measured</summary>
#
# Exercise 7 answers C: training on shuffled patches was as easy.
# </details>
#
# <details><summary>Hint 3: beware of *must* and *any*</summary>
#
# How many recipes, tasks and sizes did the experiment compare?
# </details>

# %% nbgrader={"grade": true, "grade_id": "test_inductive_biases", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("inductive_biases", inductive_biases)
### BEGIN HIDDEN TESTS
from autograder.exams import grade

grade("inductive_biases", inductive_biases)
### END HIDDEN TESTS

# %% [markdown] nbgrader={"grade": false, "grade_id": "rubric_explain_what_a_vit_must_learn", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": true}
# ### Exercise 12 · `explain_what_a_vit_must_learn`
# *explain · ●●○ · 10 minutes · 4 points, graded by a person*
#
# In five to eight sentences of your own, in the cell below: What does a CNN take for granted about images that a ViT has to learn, and what trace of it is left in the ViT? How does the ViT learn where its patches are, and how does that differ from the Transformer of 2017? What do your measurements of exercises 7 and 10 say about it, and what do they **not** show?
#
# === BEGIN MARK SCHEME ===
#
# One point each for:
# - CNN: locality and the same filter everywhere (translation equivariance) are built in; in the ViT only the patches and the map they share (a convolution with stride p) are left of it, and attention may look anywhere.
# - Positions: a learned table, one row for each place, random at the start; in 2017 fixed sines and cosines of the position. For another grid the table is interpolated.
# - Own numbers are used: shuffling destroys a trained ViT with positions, changes nothing without them, and is no obstacle if it was there from the start; the CNN leads most with 50 images and its lead shrinks.
# - Limits: small images, small models, few seeds, one recipe each; no crossover was seen in this range, and neither its existence nor its absence at larger sizes follows.
#
# === END MARK SCHEME ===

# %% [markdown] nbgrader={"grade": true, "grade_id": "explain_what_a_vit_must_learn", "locked": false, "points": 4, "schema_version": 3, "solution": true, "task": false}
# A CNN is built on the belief that what matters is close together and looks the same wherever it stands: small filters, shared over all positions. A ViT may compare any patch with any other from the first block on; of the two beliefs only the squares themselves and the single linear map they share are left, which is a convolution whose windows do not overlap. Where a patch stands it learns by a table with one row for each place, trained from random numbers, whereas the Transformer of 2017 added fixed sines and cosines. In exercise 7 my trained ViT fell from about 0.97 to about 0.1 on shuffled patches, the one without positions did not change at all, and the one trained on shuffled patches was as good as the first, so neighbourhood is nothing it knew beforehand. In exercise 10 the CNN led by about ten points with 50 images and by three with 1000: its beliefs are worth most where examples are few. I saw no crossover, but with tiny digits, tiny models, three seeds and one recipe for each that says nothing about large images and large data.

# %%
quiz("one_run_each")

# %% [markdown]
# ## 8 · All of it yours
#
# The `EncoderBlock` in this notebook came from `course_lib`. But you wrote one yourself, in unit 05, from your own `MultiHeadAttention` of unit 04, which calls your own `scaled_dot_product_attention` of unit 01. `gather_parts` looks for your notebooks beside this one, takes your answers out of them and tries each with its visible check; where one is missing or does not pass, the course's takes its place, and the table says why. (If your notebooks lie elsewhere, give it the folder: `gather_parts("../my_notebooks")`.)

# %%
parts = gather_parts()
print(show_parts(parts))

# %% [markdown]
# Now the whole machine out of these parts: your `VisionTransformer` with your blocks, with your heads, with your attention, and with the weights that `vit` learned. **What to see:** the same accuracy, and logits that differ by rounding. If they do, everything you wrote in this course works together, down to the first formula of unit 01.

# %%
EncoderBlock, LayerNorm = parts["EncoderBlock"].answer, parts["LayerNorm"].answer
assembled = VisionTransformer(config)
carry_over(vit, assembled)
with torch.no_grad():
    difference = (assembled.eval()(test.images) - vit.eval()(test.images)).abs().max().item()
print(f"accuracy {accuracy(assembled, test):.3f}, largest difference of a logit {difference:.1e}")

# %%
quiz("a_tiny_difference")

# %% [markdown]
# **Where you stand.** Run the checks above, then this cell: it says which of them pass and which points are still open.

# %%
progress("08")

# %% [markdown]
# ## What to take along
#
# | step | shape | beware of |
# |:--|:--|:--|
# | `patchify` | `(B, N, C·p·p)` | cut height and width, then reorder; never reshape straight to it |
# | embed | `(B, N, d)` | one map for all patches: a convolution with stride $p$ |
# | class token, positions | `(B, 1 + N, d)` | the token first, then positions for all of them |
# | blocks, `norm` | `(B, 1 + N, d)` | pre-norm blocks need one norm at the end |
# | `head` | `(B, classes)` | it reads token 0 alone; no softmax |
#
# Two sentences to keep: *to a Transformer everything is a set of tokens, and what it knows about their order is what you add to them*; and *a built-in belief is worth most when examples are few, and a measurement is worth as much as its error bars*.
#
# **The course on one page.** The next cell writes `summary.html`: the formulas of the course with their shapes, read from the library you used. Open it in a browser and print it; it fits on one sheet.

# %%
write_summary("summary.html")

# %% [markdown]
# That was the last unit. You began with two sequences and one formula, and you end with a machine that reads: attention, its scale, positions, heads, masks, blocks, training, families, and pictures, all of it written by you. When you next meet a new model, ask of it what you asked here: *what are the tokens, who looks at whom, and what does it know about order?*
