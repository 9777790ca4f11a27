"""Inputs for readers of outside data: valid ones, damaged in every way that somebody or some program might."""

import copy
import io
import json
import os
import socket
import warnings
import zipfile
from pathlib import Path

from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ANY_LETTER = st.characters(blacklist_categories=())  # halves of characters, too
NASTY = [
    *("", " ", "\x00", "\x1b]0;x\x07", "\x1b[2J", "\x9b31m", "\u202eabc", "\ud800", "\ufeff", "../..", "/dev/zero"),
    *("=1+1", "@x", "\t=1", "[red]", "[link=http://x]y", "<script>", "{{7*7}}", "$\\href{x}{y}$", "a" * 5000, "NaN"),
]
TEXTS = st.one_of(st.sampled_from(NASTY), st.text(ANY_LETTER, max_size=20))
ODD = st.one_of(
    st.sampled_from([None, True, False, 0, -1, 4.0, 1e308, float("nan"), float("inf"), 10**30, [], {}, [[]], [None]]),
    TEXTS,
    st.recursive(
        st.none() | st.integers() | TEXTS,
        lambda parts: st.lists(parts, max_size=3) | st.dictionaries(TEXTS, parts, max_size=3),
        max_leaves=8,
    ),
    st.sampled_from([50, 100, 500]).map(lambda depth: _nested(depth)),
)
ENCODINGS = ["utf-8"] * 8 + ["utf-8-sig", "utf-16", "utf-32", "latin-1", "cp037"]
METADATA = {"kernelspec": {"name": "python3", "display_name": "Python 3"}, "language_info": {"name": "python"}}
STUB = "def double(x):\n    raise NotImplementedError"


def _nested(depth: int) -> list:
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


def small_notebook(answer: str = STUB) -> dict:
    """A unit with one exercise, as released; or handed in, with an answer."""
    mark = {"grade_id": "double", "solution": True, "grade": False, "locked": False}
    test = {"grade_id": "test_double", "solution": False, "grade": True, "locked": True, "points": 2}
    cells = [
        new_markdown_cell("# 1 · Twice", id="title"),
        new_code_cell(answer, id="double", metadata={"nbgrader": mark}),
        new_code_cell('check("double", double)', id="test-double", metadata={"nbgrader": test}),
        new_code_cell("print(double(2))", id="own", outputs=[{"output_type": "stream", "name": "stdout", "text": "4"}]),
    ]
    return json.loads(json.dumps(new_notebook(cells=cells, metadata=METADATA)))


@st.composite
def damaged_json(draw, whole, most=4):
    """A value with some of its parts deleted, replaced, doubled, renamed or wrapped."""
    value = [copy.deepcopy(whole)]
    for _ in range(draw(st.integers(0, most))):
        at, key = value, 0
        while isinstance(at[key], dict | list) and at[key] and draw(st.integers(0, 3)):
            at = at[key]
            key = draw(st.sampled_from(sorted(at, key=str))) if isinstance(at, dict) else draw(_index(at))
        action = draw(st.sampled_from(["replace", "replace", "delete", "double", "wrap", "rename"]))
        if action == "replace" or at is value:
            at[key] = copy.deepcopy(draw(ODD))  # a sample is the same object each time
        elif action == "delete":
            del at[key]
        elif action == "double":
            at.insert(draw(_index(at)), copy.deepcopy(at[key])) if isinstance(at, list) else at.update(also=at[key])
        elif action == "wrap":
            at[key] = [at[key]] if draw(st.booleans()) else {"value": at[key]}
        elif isinstance(at, dict):
            at[draw(TEXTS)] = at.pop(key)
    return value[0]


def _index(items):
    return st.integers(0, len(items) - 1)


@st.composite
def damaged_bytes(draw, data):
    """A file that broke off, lost or gained something, or has some of it twice."""
    action = draw(st.sampled_from(["leave"] * 4 + ["cut", "insert", "lose", "double", "noise"]))
    at = draw(st.integers(0, len(data)))
    if action == "cut":
        return data[:at]
    if action == "insert":
        return data[:at] + draw(st.binary(max_size=8) | st.sampled_from([b'"', b"{", b"]", b"\\", b"\xff"])) + data[at:]
    if action == "lose":
        return data[:at] + data[at + draw(st.integers(1, 50)) :]
    if action == "double":
        return data[:at] + data
    return draw(st.binary(max_size=200)) if action == "noise" else data


@st.composite
def json_files(draw, whole):
    """Some JSON in a file, in any encoding and with any damage."""
    text = json.dumps(draw(damaged_json(whole)), ensure_ascii=draw(st.booleans()))
    return draw(damaged_bytes(text.encode(draw(st.sampled_from(ENCODINGS)), "replace")))


NOTEBOOKS = json_files(small_notebook("def double(x):\n    return 2 * x"))

NAMES = st.one_of(
    st.sampled_from(
        [
            *(
                "ada_01.ipynb",
                "ada/01.ipynb",
                "../../x.ipynb",
                "/etc/x.ipynb",
                "a\\b.ipynb",
                "x.zip",
                "__MACOSX/x.ipynb",
            ),
            *("Ada_1_2_x.ipynb", "A_7_assignsubmission_file_x_9_1_y.ipynb", "Z_1_2_7_assignsubmission_file_.ipynb"),
        ]
    ),
    st.builds(lambda name, end: name + end, TEXTS, st.sampled_from([".ipynb", ".zip", "", ".IPYNB"])),
)


@st.composite
def zips(draw, depth=1):
    data = io.BytesIO()
    packed = draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2]))
    with zipfile.ZipFile(data, "w", packed) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that come twice
        for _ in range(draw(st.integers(0, 4))):
            inner = draw(zips(depth=0)) if depth and draw(st.integers(0, 3)) == 0 else b"{}" * draw(st.integers(0, 400))
            name = "".join(letter for letter in draw(NAMES) if not "\ud800" <= letter <= "\udfff") or "x"
            info = zipfile.ZipInfo(name[:200])
            info.external_attr = draw(st.sampled_from([0, 0o120777 << 16, 0o010644 << 16]))  # links and pipes, too
            info.flag_bits = draw(st.sampled_from([0, 0, 0, 1]))
            archive.writestr(info, inner)
    return draw(damaged_bytes(data.getvalue()))


PARTS = [
    "file",
    "file",
    "folder",
    "pipe",
    "link to the secret",
    "link to its folder",
    "link to itself",
    "socket",
    "large",
]


@st.composite
def trees(draw):
    """What lies where: names of a path, each with what is there."""
    names = st.sampled_from(["ada", "01_unit", "01_unit.ipynb", "timestamp.txt", "x.zip"])
    return draw(st.lists(st.tuples(st.lists(names, min_size=1, max_size=3), st.sampled_from(PARTS)), max_size=6))


def plant(root: Path, secret: Path, tree: list) -> None:
    """Make a tree below an empty folder; what cannot be put where something else is, is left out."""
    for names, kind in tree:
        path = root.joinpath(*names)
        if any(
            part.is_symlink() or (part.exists() and not part.is_dir()) for part in [*path.parents][: len(names) - 1]
        ):
            continue
        if path.is_symlink() or path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "folder":
            path.mkdir()
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "socket":
            with socket.socket(socket.AF_UNIX) as server:
                folder = os.open(path.parent, os.O_RDONLY)
                server.bind(f"/proc/self/fd/{folder}/{path.name}")
                os.close(folder)
        elif kind.startswith("link"):
            path.symlink_to({"secret": secret, "folder": secret.parent, "itself": path}[kind.split()[-1]])
        else:
            path.write_bytes(b"mine" * (1 if kind == "file" else 1000))


STAMPS = st.one_of(
    st.datetimes().map(lambda time: f"{time:%Y-%m-%d %H:%M:%S.%f} UTC"),
    st.from_regex(r"\A[0-9 :.,TZ/+-]{0,40}( [A-Za-z/._]{0,30})?\Z"),
    TEXTS,
)
STAMP_FILES = st.one_of(STAMPS.map(lambda text: text.encode("utf-8", "replace")), st.binary(max_size=1200))

CELLS = st.one_of(st.sampled_from(["ada", "Ada", "Lovelace, Ada", "a@b.example", "4711"]), TEXTS)
COLUMNS = st.one_of(st.sampled_from(["student_id", "ID", "SIS Login ID", "Student", "Email", "First name"]), TEXTS)


@st.composite
def rosters(draw):
    mark = draw(st.sampled_from([",", ";", "\t"]))
    quote = draw(st.booleans())
    rows = [draw(st.lists(COLUMNS, max_size=4)), *draw(st.lists(st.lists(CELLS, max_size=4), max_size=5))]
    lines = [mark.join('"' + cell.replace('"', '""') + '"' if quote else cell for cell in row) for row in rows]
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join(lines)
    return draw(damaged_bytes(text.encode(draw(st.sampled_from(ENCODINGS)), "replace")))


@st.composite
def settings_files(draw):
    keys = st.sampled_from(["penalty_per_day", "maximum", "grace", '"ada"', '"01"', '"99"', "x", '"\\u001b"'])
    values = st.sampled_from(
        ["10", "-1", "inf", "nan", "1e400", "true", '"x"', "[]", '{ "01" = 7 }', "2027-01-01", "0x7f"]
    )
    lines = [
        f"[{draw(st.sampled_from(['late', 'extra_days', 'canvas', 'late.grace', 'x']))}]"
        if draw(st.integers(0, 2)) == 0
        else f"{draw(keys)} = {draw(values)}"
        for _ in range(draw(st.integers(0, 8)))
    ]
    return draw(damaged_bytes("\n".join(lines).encode()))
