"""Lazy import of nbgrader: its `__init__` takes a second, so it runs only when a name that it defines is used.

nbgrader's `__init__` imports its Jupyter server extensions, and with them the server and nbconvert, for functions that
only the server calls. Here sys.modules gets a package with nbgrader's path and version, so that submodules such as
`nbgrader.api` import as usual, and a module `__getattr__` that runs the real `__init__`.
"""

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec


def make_nbgrader_lazy() -> None:
    """Install the lazy package, unless nbgrader is already imported or not installed."""
    spec = None if "nbgrader" in sys.modules else find_spec("nbgrader")
    if spec is None or spec.loader is None:
        return
    loader = spec.loader
    package = module_from_spec(spec)

    def define(name: str) -> object:
        if find_spec(f"nbgrader.{name}"):
            raise AttributeError(name)  # a submodule, which Python then imports
        del vars(package)["__getattr__"]
        loader.exec_module(package)
        return getattr(package, name)

    vars(package)["__getattr__"] = define
    sys.modules["nbgrader"] = package
    vars(package)["__version__"] = import_module("nbgrader._version").__version__
