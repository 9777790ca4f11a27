"""Where a piece of code comes from: a library, an import, a recording, or a student's cell."""

import importlib.util
import os
import sysconfig
from pathlib import Path
from types import CodeType

import torch

import course_lib

_TORCH = f"{Path(torch.__file__).parent}{os.sep}"
_PATHS = sysconfig.get_paths()
_PYTHON = tuple(f"{_PATHS[name]}{os.sep}" for name in ("stdlib", "platstdlib"))
_INSTALLED = tuple(f"{_PATHS[name]}{os.sep}" for name in ("purelib", "platlib"))
_MULTIPROCESSING, _COMPILED = f"{_TORCH}multiprocessing", f"{_TORCH}_dynamo{os.sep}eval_frame.py"
_COURSE = f"{Path(course_lib.__file__).parent}{os.sep}"


def _folder(package: str) -> tuple[str, ...]:
    found = importlib.util.find_spec(package)
    return (f"{Path(found.origin).parent}{os.sep}",) if found and found.origin else ()


# whose functions of a forbidden name do what it says
_WATCHED = (_TORCH, *_folder("scipy"))


def library_name(code: CodeType) -> str:
    """The name of a watched library's function, or of its class where it is a method; "" for other code."""
    if not code.co_filename.startswith(_WATCHED):
        return ""
    name = code.co_qualname.partition(".")[0]
    a_class = name[:1].isupper()
    return name if not a_class or code.co_varnames[:1] == ("self",) else ""  # nn.Transformer's mask is no Transformer


def is_python(code: CodeType) -> bool:
    """Whether it is of Python's own library."""
    name = code.co_filename
    return name.startswith("<frozen ") or (name.startswith(_PYTHON) and not name.startswith(_INSTALLED))


def is_library(code: CodeType) -> bool:
    return is_python(code) or code.co_filename.startswith((*_INSTALLED, _TORCH, _COURSE))


def is_import(code: CodeType) -> bool:
    return code.co_filename.startswith("<frozen importlib")


def is_multiprocessing(code: CodeType) -> bool:
    return code.co_filename.startswith(_MULTIPROCESSING)


def is_recorded(code: CodeType) -> bool:
    """Whether it is a graph of torch.fx, or runs one of torch.compile."""
    name = code.co_filename
    return name.startswith("<eval_with_key>") or name == _COMPILED
