"""Why a module has no parameter of its own where one is expected: it is shared, in a list, or a plain tensor."""

from collections.abc import Iterable, Iterator

from torch import Tensor, nn


def why_hidden(module: nn.Module, part: str) -> tuple[str, str] | None:
    """What is the case instead, and what to do, for a part ("" for the whole module); None if neither applies."""
    return _shared(module, part) or _in_container(module, part) or _plain_tensor(module, part)


def _shared(module: nn.Module, part: str) -> tuple[str, str] | None:
    """A parameter of the part that is one of another path too: the same layer or block used twice, or tied weights."""
    first: dict[int, str] = {}
    for path, parameter in module.named_parameters(remove_duplicate=False):
        other = first.setdefault(id(parameter), path)
        if other != path and (_inside(path, part) or _inside(other, part)):
            return (
                f"uses {other} as {path} too",
                "give each parameters of its own, by making every layer and block anew",
            )
    return None


def _in_container(module: nn.Module, part: str) -> tuple[str, str] | None:
    found = {id(parameter) for parameter in module.parameters()}
    for path, value in _attributes(module):
        holds = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
        if _inside(path, part) and any(id(parameter) not in found for one in holds for parameter in _parameters(one)):
            kind, instead = ("dict", "nn.ModuleDict") if isinstance(value, dict) else ("list", "nn.ModuleList")
            return (
                f"keeps self.{path} in a plain {type(value).__name__}, in which PyTorch finds no parameters",
                f"make it {'an' if instead.startswith('nn') else 'a'} {instead}, which is a {kind} of modules",
            )
    return None


def _parameters(value: object) -> Iterable[nn.Parameter]:
    return value.parameters() if isinstance(value, nn.Module) else [value] if isinstance(value, nn.Parameter) else ()


def _plain_tensor(module: nn.Module, part: str) -> tuple[str, str] | None:
    if not part:
        return None
    for path, value in _attributes(module):
        if path == part and isinstance(value, Tensor) and not isinstance(value, nn.Parameter):
            return (
                f"keeps self.{path} as a tensor that is no parameter, so it is not trained",
                "wrap it: nn.Parameter(…)",
            )
    return None


def _attributes(module: nn.Module) -> Iterator[tuple[str, object]]:
    """Plain attributes and buffers of the module and of those in it, by their paths."""
    for prefix, inner in module.named_modules():
        own = {name: value for name, value in vars(inner).items() if not name.startswith("_")}
        for name, value in (own | dict(inner.named_buffers(recurse=False))).items():
            yield f"{prefix}.{name}".lstrip("."), value


def _inside(path: str, part: str) -> bool:
    return not part or path == part or path.startswith(f"{part}.")
