"""Who imports whom in a package, read from its source: imports inside functions count too."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class ImportGraph:
    """Modules are named without the package ("nn.attention"); its `__init__` has the empty name."""

    root: Path

    @cached_property
    def files(self) -> Mapping[str, Path]:
        return {self._name(path): path for path in sorted(self.root.rglob("*.py"))}

    @cached_property
    def imports(self) -> Mapping[str, set[str]]:
        """What each module imports of the package; other packages as "external NAME"."""
        return {name: self._imported(name, path) - {name} for name, path in self.files.items()}

    def reachable(self, name: str) -> set[str]:
        seen, waiting = set(), [name]
        while waiting:
            new = self.imports.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        return seen

    def upward(self, layers: Sequence[str]) -> list[str]:
        """The imports from a layer into one above it, and those of a module in no layer into any."""

        def height(name: str) -> int:
            return next((i for i, layer in enumerate(layers) if f"{name}.".startswith(f"{layer}.")), -1)

        return sorted(
            f"{name} imports {other}"
            for name, others in self.imports.items()
            for other in others
            if height(other) > height(name)
        )

    def _name(self, path: Path) -> str:
        parts = path.relative_to(self.root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _imported(self, name: str, path: Path) -> set[str]:
        package = (self.root.name, *(name.split(".") if name else ()))
        if path.name != "__init__.py":
            package = package[:-1]
        wanted = set()
        for node in _statements(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                origin = [*package[: len(package) - node.level + 1], node.module] if node.level else [node.module]
                # `from package import module` needs the module, not only its package
                wanted |= {".".join([*filter(None, origin), alias.name]) for alias in node.names}
        return {self._resolved(one) for one in wanted}

    def _resolved(self, name: str) -> str:
        package, _, inner = name.partition(".")
        if package != self.root.name:
            return f"external {package}"
        while inner and inner not in self.files:
            inner = inner.rpartition(".")[0]
        return inner


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every node that runs: what is there for type checkers alone does not."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _statements(child)
