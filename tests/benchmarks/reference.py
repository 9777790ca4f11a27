"""How fast the reference is: against PyTorch's own modules, and cached against uncached decoding.

Run by hand: python tests/benchmarks/reference.py [threads]
Every ratio compares two measurements of one run, taken in turns.
"""

import statistics
import sys
import time
from collections.abc import Callable

import torch
from rich.console import Console
from rich.table import Table
from torch import nn

from course_lib.models.cached_decoding import cached_greedy_decode
from course_lib.models.decoding import greedy_decode
from course_lib.models.transformer import Transformer, TransformerConfig
from course_lib.nn.blocks import DecoderBlock, EncoderBlock
from course_lib.nn.multihead import MultiHeadAttention

SIZES = ((8, 16, 64, 4), (8, 64, 128, 8), (8, 128, 512, 8))  # batch, n, d_model, heads
ROUNDS = 15
LENGTHS = (16, 32, 64, 128, 256)
Forward = Callable[[], torch.Tensor]


def main() -> None:
    threads = int(sys.argv[1]) if len(sys.argv) > 1 else torch.get_num_threads()
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    console = Console()
    console.print(against_torch(threads))
    console.print(decoding(threads))


def against_torch(threads: int) -> Table:
    table = Table(title=f"reference against PyTorch, forward and backward, {threads} threads")
    for heading in ("module", "batch × n × d", "reference", "PyTorch", "ratio"):
        table.add_column(heading, justify="left" if heading == "module" else "right", no_wrap=True)
    for batch, n, d, heads in SIZES:
        for name, (ours, theirs) in passes(batch, n, d, heads).items():
            first, second, ratio = compare(ours, theirs)
            table.add_row(name, f"{batch} × {n} × {d}", ms(first), ms(second), f"{ratio:.2f}")
        table.add_section()
    return table


def passes(batch: int, n: int, d: int, heads: int) -> dict[str, tuple[Forward, Forward]]:
    """For each module the forward pass of the reference and of PyTorch."""
    x, memory = (torch.randn(batch, n, d, requires_grad=True) for _ in range(2))
    ahead = torch.ones(n, n, dtype=torch.bool).triu(1)
    options = {"dim_feedforward": 4 * d, "dropout": 0.0, "batch_first": True}
    mha, torch_mha = MultiHeadAttention(d, heads), nn.MultiheadAttention(d, heads, batch_first=True)
    encoder, torch_encoder = EncoderBlock(d, heads, 4 * d), nn.TransformerEncoderLayer(d, heads, **options)
    decoder, torch_decoder = DecoderBlock(d, heads, 4 * d), nn.TransformerDecoderLayer(d, heads, **options)
    return {
        "attention": (lambda: mha(x, x, x, ahead)[0], lambda: torch_mha(x, x, x, attn_mask=ahead)[0]),
        "encoder block": (lambda: encoder(x), lambda: torch_encoder(x)),
        "decoder block": (
            lambda: decoder(x, memory, ahead),
            lambda: torch_decoder(x, memory, tgt_mask=ahead),
        ),
    }


def compare(ours: Forward, theirs: Forward) -> tuple[float, float, float]:
    """Median seconds of each for a forward and a backward pass, and the median of the rounds' ratios."""
    times: tuple[list[float], list[float]] = ([], [])
    for round_ in range(ROUNDS + 2):
        for forward, kept in zip((ours, theirs), times, strict=True):
            start = time.perf_counter()
            forward().sum().backward()
            if round_ >= 2:  # the first rounds warm up
                kept.append(time.perf_counter() - start)
    ratios = [first / second for first, second in zip(*times, strict=True)]
    return statistics.median(times[0]), statistics.median(times[1]), statistics.median(ratios)


def decoding(threads: int) -> Table:
    table = Table(title=f"time for the last token, 8 sequences, {threads} threads")
    for heading in ("target length", "uncached", "cached", "ratio"):
        table.add_column(heading, justify="right")
    model = Transformer(TransformerConfig(50, 50, 128, 8, 512, 2, max(LENGTHS) + 1)).eval()
    src = torch.randint(1, 50, (8, 32))
    for length in LENGTHS:
        uncached, cached = (last_step(decode, model, src, length) for decode in (greedy_decode, cached_greedy_decode))
        table.add_row(str(length), ms(uncached), ms(cached), f"{uncached / cached:.1f}")
    return table


def last_step(decode: Callable, model: Transformer, src: torch.Tensor, length: int) -> float:
    """The median time between the last tokens: the output layer is called once for each."""
    times: list[float] = []
    hook = model.output.register_forward_hook(lambda *_: times.append(time.perf_counter()))
    for _ in range(2):
        decode(model, src, 1, -1, length)  # no token is −1, so no row ends early
    hook.remove()
    return statistics.median(times[-i] - times[-i - 1] for i in range(1, 8))


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


if __name__ == "__main__":
    main()
