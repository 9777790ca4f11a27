"""nbgrader without what `import nbgrader` takes a second for, until somebody asks for it.

nbgrader's `__init__` imports its extensions of Jupyter's server, and with them that server and nbconvert, for functions
that only the server calls. Here the package is in place with its path and its version, so that its modules, such as
`nbgrader.api`, are imported as ever; its `__init__` runs when a name is wanted that only it defines.
"""

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec


def make_nbgrader_lazy() -> None:
    """Put the package in place, unless it is imported already or not installed."""
    spec = None if "nbgrader" in sys.modules else find_spec("nbgrader")
    if spec is None:
        return
    package = module_from_spec(spec)

    def define(name: str) -> object:
        if find_spec(f"nbgrader.{name}"):
            raise AttributeError(name)  # it is a module, which Python imports next
        del package.__getattr__
        spec.loader.exec_module(package)
        return getattr(package, name)

    package.__getattr__ = define
    sys.modules["nbgrader"] = package
    package.__version__ = import_module("nbgrader._version").__version__
