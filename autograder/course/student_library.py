"""The student edition of course_lib: all of it, except the answers of a unit and of later units."""

import ast
from pathlib import PurePosixPath

from autograder.course.units import ROOT, Unit, all_units

LIBRARY = ROOT / "course_lib"
SHIPPED = (".py", ".json")


def student_edition(unit: Unit) -> dict[PurePosixPath, str]:
    """The files of the edition for students of `unit`, by their path relative to the parent of course_lib."""
    files = {
        PurePosixPath(path.relative_to(ROOT).as_posix()): path.read_text("utf-8")
        for path in sorted(LIBRARY.rglob("*"))
        if path.suffix in SHIPPED
    }
    for later in all_units():
        if later.id >= unit.id:
            for answer in later.answers:
                files = without_answer(files, answer, later)
    return files


def without_answer(files: dict[PurePosixPath, str], answer: str, unit: Unit) -> dict[PurePosixPath, str]:
    """The files without one answer: a module or package ("nn.attention"), or a name in one ("nn.masks.combine")."""
    module = PurePosixPath("course_lib", *answer.split("."))
    file, package = module.with_suffix(".py"), module / "__init__.py"
    if file in files:
        return files | {file: _absent_module(answer, unit)}
    if package in files:
        kept = {path: text for path, text in files.items() if module not in path.parents}
        return kept | {package: _absent_module(answer, unit)}
    file, name = module.parent.with_suffix(".py"), module.name
    return files | {file: _without_name(files[file], name, unit)}


def _absent_module(answer: str, unit: Unit) -> str:
    sentence = (
        f"course_lib.{answer} holds answers of unit {unit.id} ({unit.title}), so it is not part of your copy: "
        "write your own in the notebook"
    )
    return f'"""Not part of this edition."""\n\nraise ImportError("{sentence}")\n'


def _without_name(source: str, name: str, unit: Unit) -> str:
    definitions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    node = next(node for node in definitions if node.name == name)
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    lines = source.splitlines(keepends=True)
    stub = (
        f"def {name}(*arguments, **options):\n"
        f'    """An answer of unit {unit.id}, not part of this edition."""\n'
        f'    raise NotImplementedError("{name} is an answer of unit {unit.id} ({unit.title}): '
        'write your own in the notebook")\n'
    )
    return "".join([*lines[: first - 1], stub, *lines[node.end_lineno :]])
