"""Ways to use a forbidden function in a right answer, from the plainest to the roundabout, as cells of a notebook."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.exam_types import ModuleExam
from autograder.exam_types.exam import Exam

TOOLS = """
import concurrent.futures, functools, importlib.util, inspect, multiprocessing, operator, os, pkgutil, subprocess, sys
import threading
import torch
from torch.utils._python_dispatch import _disable_current_modes

x, flat, kernel = torch.ones(1, 2, 4), torch.ones(2), torch.ones(3, 2, 3)


def frozen(module):
    return module.eval().requires_grad_(False)


def leaf():
    return torch.ones(2, requires_grad=True)


def fresh(function):
    '''The function of its file, executed once more.'''
    module = sys.modules[function.__module__] if getattr(function, "__module__", None) else None
    if not hasattr(module, "__file__") or module is torch:
        return function
    again = importlib.util.module_from_spec(importlib.util.spec_from_file_location(module.__name__, module.__file__))
    again.__spec__.loader.exec_module(again)
    return getattr(again, function.__name__)


def in_dict(owner, name):
    return next(vars(one)[name] for one in getattr(owner, "__mro__", [owner]) if name in vars(one))


def in_child(work):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def in_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def in_pool(work):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        pool.submit(work).result()


def in_process(work):
    process = multiprocessing.get_context("fork").Process(target=print)
    process.start()
    process.join()


def unseen(work):
    previous = sys.getprofile()
    sys.setprofile(None)
    try:
        work()
    finally:
        sys.setprofile(previous)


def unrecorded(work):
    torch._C._autograd._enable_record_function(False)
    try:
        work()
    finally:
        torch._C._autograd._enable_record_function(True)
"""

HEADS = "x, x, x, 4, 2, torch.ones(12, 4), None, None, None, False, 0.0, torch.ones(4, 4), None"
CALLS = {  # {f} is the forbidden function
    **dict.fromkeys(("softmax", "log_softmax"), "{f}(x, dim=-1)"),
    **dict.fromkeys(("Softmax", "LogSoftmax"), "{f}(dim=-1)(x)"),
    "scaled_dot_product_attention": "{f}(x, x, x)",
    "MultiheadAttention": "frozen({f}(4, 2))(x, x, x)",
    "multi_head_attention_forward": f"{{f}}({HEADS})",
    "TransformerEncoderLayer": "frozen({f}(4, 2, 8))(x)",
    "TransformerDecoderLayer": "frozen({f}(4, 2, 8))(x, x)",
    "Transformer": "frozen({f}(4, 2, 1, 1, 8))(x, x)",
    "TransformerEncoder": "frozen({f}(torch.nn.TransformerEncoderLayer(4, 2, 8), 1))(x)",
    "TransformerDecoder": "frozen({f}(torch.nn.TransformerDecoderLayer(4, 2, 8), 1))(x, x)",
    "LayerNorm": "frozen({f}(4))(x)",
    "layer_norm": "{f}(x, (4,))",
    "conv1d": "{f}(x, kernel)",
    "Conv1d": "frozen({f}(2, 3, 3))(x)",
    "grad": "{f}(lambda y: (y * y).sum())(flat)",
    "autograd.grad": "(lambda y: {f}((y * y).sum(), y))(leaf())",
    "backward": "{f}((leaf() * 2).sum())",
    "jacobian": "{f}(lambda y: y * y, flat)",
    **dict.fromkeys(("jacrev", "jacfwd"), "{f}(lambda y: y * y)(flat)"),
}
# Other names of what does the same work.
OTHERS = {
    "softmax": (
        "torch.ops.aten._softmax(x, -1, False)",
        "torch.ops.aten.softmax.int(x, -1)",
        "torch.special.softmax(x, -1)",
        "torch.nn.functional.gumbel_softmax(x)",
        "torch.nn.functional.softmin(x, -1)",
        "torch.distributions.Categorical(logits=x).probs",
        "torch._refs.softmax(x, -1)",
        "torch.nn.functional.scaled_dot_product_attention(x, x, x)",
    ),
    "log_softmax": ("torch.ops.aten._log_softmax(x, -1, False)", "torch.nn.functional.cross_entropy(x, x)"),
    "scaled_dot_product_attention": (
        "torch.ops.aten.scaled_dot_product_attention(x, x, x)",
        "torch.ops.aten._scaled_dot_product_attention_math(x, x, x)",
        "torch._C._nn.scaled_dot_product_attention(x, x, x)",
        "frozen(torch.nn.MultiheadAttention(4, 2))(x, x, x, need_weights=False)",
    ),
    "MultiheadAttention": (
        f"torch.nn.functional.multi_head_attention_forward({HEADS})",
        "frozen(torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True))(x)",
    ),
    "layer_norm": (
        "torch.ops.aten.native_layer_norm(x, [4], None, None, 1e-5)",
        "torch.native_layer_norm(x, [4], None, None, 1e-5)",
        "torch._refs.nn.functional.layer_norm(x, (4,))",
    ),
    "conv1d": (
        "torch.ops.aten.convolution(x, kernel, None, [1], [0], [1], False, [0], 1)",
        "torch.convolution(x, kernel, None, [1], [0], [1], False, [0], 1)",
        "torch.nn.functional.conv2d(x[:, :, None], kernel[:, :, None])",
    ),
    "backward": ("(leaf() * 2).sum().backward()",),
    "jacrev": (
        "torch.func.vjp(lambda y: y * y, flat)[1](flat)",
        "torch.func.jvp(lambda y: y * y, (flat,), (flat,))",
        "torch.func.hessian(lambda y: (y * y).sum())(flat)",
    ),
}
# {f} is the function's name, {call} the call of it, {call_of} the same of another name for it.
ANSWERS = {
    "in plain sight": "{call}",
    "an alias of another cell": ("alias = {f}", "{call_of:alias}"),
    "a helper in another cell": ("helper = lambda: {call}", "helper()"),
    "a partial of another cell": ("part = functools.partial(eval, '{call}', globals())", "part()"),
    "attrgetter": "{call_of:operator.attrgetter('{rest}')(torch)}",
    "getattr": "{call_of:getattr({owner}, '{name}'[:3] + '{name}'[3:])}",
    "__dict__": "{call_of:in_dict({owner}, '{name}')}",
    "exec": "exec('{call}')",
    "eval": "{call_of:eval('{owner}.' + '{name}')}",
    "an import inside": "{call_of:pkgutil.resolve_name('{f}')}",
    "a fresh import": "{call_of:fresh({f})}",
    "map": "list(map(lambda f: {call_of:f}, [{f}]))",
    "a traced graph": ("traced = torch.jit.trace(lambda x: {call}, x, check_trace=False)", "traced(x)"),
    "vmap": "torch.func.vmap(lambda y: ({call}, y)[1], randomness='different')(flat)",
    "inference mode": "torch.inference_mode()(lambda: {call})()",
    "no modes": "(_disable_current_modes().__enter__(), {call})",
    "a child process": "in_child(lambda: {call})",
    "a program": "subprocess.run([sys.executable, '--version'])",
    "multiprocessing": "in_process(lambda: {call})",
    "a thread": "in_thread(lambda: {call})",
    "a pool of threads": "in_pool(lambda: {call})",
    "the profile function removed": "unseen(lambda: {call})",
    "the profiler off": "unrecorded(lambda: {call})",
}
NO_GRAPH = {"grad", "backward", "jacobian", "jacrev", "jacfwd"}  # is left by autograd in a trace
NO_GRADIENT = {"inference mode"}


@dataclass(frozen=True)
class Way:
    """`before` is a cell in front of the answer; `use` an expression inside it."""

    name: str
    before: str
    use: str


def ways(path: str) -> Iterator[Way]:
    """Every way to this forbidden function."""
    owner, _, name = path.rpartition(".")
    call = CALLS.get(f"{owner.removeprefix('torch.')}.{name}", CALLS[name])
    for title, form in ANSWERS.items():
        if name in NO_GRAPH and (title == "a traced graph" or title in NO_GRADIENT):
            continue
        before, use = form if isinstance(form, tuple) else ("", form)
        texts = {"{f}": path, "{call}": call.format(f=path), "{owner}": owner, "{name}": name, "{rest}": path[6:]}
        yield Way(title, _filled(before, texts, call), _filled(use, texts, call))
    for other in OTHERS.get(name, ()):
        yield Way(other, "", other)


def _filled(text: str, texts: dict[str, str], call: str) -> str:
    for mark, value in texts.items():
        text = text.replace(mark, value)
    return re.sub(r"\{call_of:(.*)\}", lambda match: call.format(f=match[1]), text)


def answer_using(exam: Exam, use: str) -> str:
    """A cell that defines `roundabout`: the right answer, which uses something besides."""
    name = exam.exercise
    if isinstance(exam, ModuleExam):
        return (
            f"class roundabout({name}):\n    def forward(self, *given, **options):\n        {use}\n"
            f"        return super().forward(*given, **options)"
        )
    return f"def roundabout(*given):\n    {use}\n    return {name}(*given)"
