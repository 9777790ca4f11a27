"""The entries of the one-page summary: the formulas of the course, unit by unit."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A formula in matplotlib's mathtext, and the function or module of course_lib that computes it.

    `shapes` replaces the signature where a student edition lacks the function, because it is an answer.
    """

    formula: str
    name: str = ""
    shapes: str = ""


SOFTMAX = r"\mathrm{softmax}"

ENTRIES: dict[str, tuple[Entry, ...]] = {
    "01 · Attention": (
        Entry(r"Q = X_{tgt}W_q \quad K = X_{src}W_k \quad V = X_{src}W_v", "nn.attention.cross_attention"),
        Entry(rf"Z = A\,V \qquad A = {SOFTMAX}(QK^\top / \sqrt{{d_k}})", "nn.attention.scaled_dot_product_attention"),
        Entry(rf"H = V\,{SOFTMAX}(\beta K^\top Q)\ \ \mathrm{{down\ the\ columns}}", "nn.attention.column_attention"),
        Entry(r"H = (XX^\top)\,X\ \ \mathrm{is\ not\ linear}", "nn.attention.gram_attention"),
        Entry(r"H = A(X)\,X\,W_v", "nn.attention.attention_matrix"),
    ),
    "02 · Softmax and scaling": (
        Entry(r"y_i = e^{x_i} / \sum_j e^{x_j} = e^{x_i - \max x} / \sum_j e^{x_j - \max x}", "nn.softmax.softmax"),
        Entry(r"\partial y_i / \partial x_j = y_i\,(\delta_{ij} - y_j)", "nn.softmax.softmax_jacobian"),
        Entry(r"\mathrm{Var}(q \cdot k) = d_k \qquad \mathrm{Var}(q \cdot k/\sqrt{d_k}) = 1"),
        Entry(
            rf"{SOFTMAX}(\beta x):\ \beta\to\infty\ \mathrm{{copies}},\ \beta\to 0\ \mathrm{{averages}}",
            "nn.softmax.softargmax",
        ),
    ),
    "03 · Positions": (
        Entry(r"\mathrm{equivariant:}\ f(PX) = P f(X) \qquad \mathrm{invariant:}\ f(PX) = f(X)"),
        Entry(
            r"PE_{p,2i} = \sin(p\,\omega_i),\ PE_{p,2i+1} = \cos(p\,\omega_i),\ \omega_i = 10000^{-2i/d}",
            "nn.positions.sinusoidal_encoding",
        ),
        Entry(
            r"PE_{p+k} = M_k\,PE_p,\ \mathrm{a\ rotation\ of\ each\ pair\ by\ } k\,\omega_i",
            "nn.positions.shift_matrix",
        ),
        Entry(r"\mathrm{learned:}\ x_p + T_p", "nn.positions.LearnedPositions"),
        Entry(r"\mathrm{relative:}\ \mathrm{scores}_{ij} + b_{j-i}", "nn.positions.relative_position_bias"),
        Entry(r"\mathrm{rotary:}\ (R_i q)\cdot(R_j k) = q \cdot R_{j-i}\,k", "nn.positions.rotate"),
    ),
    "04 · Heads": (
        Entry(r"\mathrm{heads}[b,j,i,f] = x[b,\,i,\,j\,d/h + f]", "nn.multihead.split_heads"),
        Entry(r"H = [Z_1 \cdots Z_h]\,W_o = \sum_j Z_j W_o^{(j)}", "nn.multihead.MultiHeadAttention"),
        Entry(r"\mathrm{merge\ is\ the\ inverse\ of\ split}", "nn.multihead.merge_heads"),
        Entry(
            r"\mathrm{a\ convolution\ of\ width\ 3:\ three\ heads\ that\ look\ by\ position}",
            "nn.handmade_heads.convolution_head",
        ),
        Entry(r"\mathrm{parameters:}\ 4\,(d^2 + d),\ \mathrm{whatever\ } h"),
    ),
    "05 · Masks and blocks": (
        Entry(r"\mathrm{look\ ahead:\ blocked\ where\ } j > i", "nn.masks.create_look_ahead_mask"),
        Entry(r"\mathrm{streaming:\ blocked\ unless\ } i - \mathrm{lookback} \leq j \leq i", "nn.masks.streaming_mask"),
        Entry(r"\mathrm{padding:\ blocked\ where\ } \mathrm{token}_j = \mathrm{pad}", "nn.masks.create_padding_mask"),
        Entry(
            r"\mathrm{a\ row\ that\ is\ blocked\ throughout\ gives\ } 0,\ \mathrm{not\ NaN}",
            "nn.masks.safe_masked_softmax",
        ),
        Entry(r"\mathrm{LayerNorm}(x) = g\,(x - \mu)/\sqrt{\sigma^2 + \epsilon} + b", "nn.norm.LayerNorm"),
        Entry(r"\mathrm{FFN}(x) = \max(0,\,xW_1 + b_1)\,W_2 + b_2", "nn.feedforward.FeedForward"),
        Entry(
            r"\mathrm{post\!-\!norm:}\ N(x + F(x)) \qquad \mathrm{pre\!-\!norm:}\ x + F(N(x))", "nn.blocks.EncoderBlock"
        ),
        Entry(r"\mathrm{self,\ cross\ (to\ memory),\ FFN}", "nn.blocks.DecoderBlock"),
        Entry(r"\partial(x + F(x))/\partial x = I + J_F,\ \mathrm{which\ may\ vanish}"),
    ),
    "06 · Training and inference": (
        Entry(
            r"\mathrm{reads\ } (\mathrm{SOS}, t_0, \ldots, t_{n-2}),\ \mathrm{writes\ } (t_0, \ldots, t_{n-1})",
            "training.objectives.shift_right",
        ),
        Entry(
            r"L = -\mathrm{mean}_i \sum_v q_v \log p_v,\ \ q = (1-\epsilon)\,\mathrm{onehot} + \epsilon/V",
            "training.objectives.teacher_forcing_loss",
        ),
        Entry(r"\mathrm{lr} = d^{-1/2} \min(s^{-1/2},\ s\,w^{-3/2})"),
        Entry(
            r"\mathrm{logits} = \mathrm{decode}(\mathrm{tgt},\ \mathrm{encode}(\mathrm{src}))",
            "models.transformer.Transformer",
        ),
        Entry(r"t_{i+1} = \mathrm{argmax}\ \mathrm{logits}_i,\ \mathrm{until\ EOS}", "models.decoding.greedy_decode"),
        Entry(r"\mathrm{attention\ } n^2 d,\ \mathrm{path\ } 1 \qquad \mathrm{RNN\ } n\,d^2,\ \mathrm{path\ } n"),
    ),
    "07 · Families": (
        Entry(r"\mathrm{encoder:\ no\ mask,\ fills\ gaps}", "models.encoder_only.EncoderOnly"),
        Entry(
            r"\mathrm{mask\ each\ token\ with\ probability\ } p,\ \mathrm{score\ only\ those}",
            "models.encoder_only.mask_tokens",
        ),
        Entry(r"\mathrm{decoder:\ causal\ mask,\ continues}", "models.decoder_only.DecoderOnly"),
        Entry(
            rf"p = {SOFTMAX}(\mathrm{{logits}}/T),\ \mathrm{{top}}\ k\ \mathrm{{only}}", "models.decoder_only.generate"
        ),
        Entry(r"\mathrm{LoRA:}\ W + B A,\ \mathrm{rank\ } r,\ B = 0\ \mathrm{at\ the\ start}", "nn.lora.LoRALinear"),
    ),
    "08 · Vision": (
        Entry(
            r"N = (H/p)\,(W/p)\ \mathrm{patches,\ row\ by\ row}",
            "models.patches.patchify",
            "images (B, c, height, width) → (B, n, c·patch·patch)",
        ),
        Entry(
            r"\mathrm{patches}\,W^\top + b = \mathrm{convolution,\ kernel} = \mathrm{stride} = p",
            "models.patches.PatchEmbedding",
            "images (B, c, height, width) → (B, n, d_model)",
        ),
        Entry(
            r"z_0 = [\mathrm{class};\,\mathrm{patches}] + \mathrm{positions},\ \ \mathrm{head}(\mathrm{norm}(z_L)[0])",
            "models.vision_transformer.VisionTransformer",
            "images (B, c, height, width) → (B, num_classes)",
        ),
        Entry(
            r"\mathrm{positions\ on\ another\ grid:\ bicubic,\ class\ row\ kept}",
            "models.vision_transformer.interpolate_positions",
            "pos (1, n_old, d) → (1, n_new, d)",
        ),
    ),
}

CONVENTIONS = (
    "Rows are tokens: X is (B, n, d).",
    "Masks: True means blocked (as in nn.MultiheadAttention; F.scaled_dot_product_attention takes the opposite).",
    "Attention returns (output, weights); each row of weights sums to 1.",
    "A large β is a low temperature.",
    "Perturbing a key moves every weight of every query; perturbing a query moves only its own output.",
    "Decoding is sequential at inference; training and encoding are parallel.",
)
