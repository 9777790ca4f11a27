"""Where the cells of a release are in a submission, also after an editor dropped their metadata, ids or order."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache, cached_property

from nbformat import NotebookNode

from autograder.course.cells import TEST_PREFIX, cell_ids, grade_id, is_answer, named_cells
from autograder.course.definitions import definitions, fingerprint, parse_cell, shares


class How(StrEnum):
    """How an answer was found where its cell had no grade_id, or no answer in it."""

    ID = "by cell id"
    NAME = "by name"
    ELSEWHERE = "by name, outside of its cell"
    HEADING = "below its heading"


class FoundCells:
    """`at` has the positions of each named cell in the submission, `best` the one that holds the answer.

    `how` says of answers how they were found, if not by their grade_id; `bare` are other cells that lost it.
    """

    def __init__(self, submitted: NotebookNode, released: NotebookNode):
        self._cells, self._released = submitted.cells, released.cells
        self._wanted = dict(named_cells(released))
        self.at: dict[str, list[int]] = {name: [] for name in self._wanted}
        self.best: dict[str, int] = {}
        self.how: dict[str, How] = {}
        self.bare: list[str] = []
        self._written: dict[str, str] = {}
        self._fingerprint, self._definitions = cache(self._fingerprint_of), cache(self._definitions_of)
        for position, cell in enumerate(self._cells):
            if (name := grade_id(cell)) in self._wanted:
                self.at[str(name)].append(position)
        self._needed = {name: self._needed_by(name) for name, cell in self._wanted.items() if is_answer(cell)}
        self._find_by_id()
        self._marked = any(self.at[name] for name in self._needed)
        self._find_by_source()
        for name, needed in self._needed.items():
            self._find_code(name, needed) if needed else self._find_text(name)

    @property
    def of_this_unit(self) -> bool:
        """Whether an answer's cell is there; or, in a notebook without nbgrader's metadata, most of the names."""
        if self._marked:
            return True
        everything = {name for position in range(len(self._cells)) for name in self._definitions(position)}
        code = [needed for needed in self._needed.values() if needed]
        there = sum(needed <= everything for needed in code)
        return 2 * there > len(code) and not any(map(is_answer, self._cells))

    @cached_property
    def _ours(self) -> set[str]:
        return {fingerprint(cell.source) for cell in self._released}

    def source(self, name: str) -> str | None:
        """The answer: its cell, or its part of a cell that answers several exercises; None if there is none."""
        if name in self._written or name not in self.best:
            return self._written.get(name)
        position = self.best[name]
        if not self._needed[name]:
            return str(self._cells[position].source)
        sharing = {other: needed for other, needed in self._needed.items() if self.best.get(other) == position}
        return shares(self._code(position), sharing)[name] if len(sharing) > 1 else self._code(position)

    def is_blank(self, position: int, name: str) -> bool:
        """Whether the cell is empty or still the stub."""
        source = self._cells[position].source
        return not source.strip() or self._fingerprint(position) == fingerprint(self._wanted[name].source)

    def host(self, name: str) -> str | None:
        """The other exercise whose cell holds the answer."""
        place = self.best.get(name)
        return next((other for other in self._needed if other != name and place in self.at[other]), None)

    def _find_by_id(self) -> None:
        names = {cell.get("id"): name for name, cell in self._wanted.items() if cell.get("id") and not self.at[name]}
        claimed = self._claimed()
        for position, cell in enumerate(self._cells):
            name = next((names[key] for key in cell_ids(cell) if key in names), None)
            if name is None or position in claimed or grade_id(cell):  # with another's name it is another's cell
                continue
            self.at[name].append(position)
            if is_answer(self._wanted[name]):
                self.how[name] = How.ID
            else:
                self.bare.append(name)

    def _find_by_source(self) -> None:
        """Cells that students do not fill in, by what is in them."""
        claimed, sources = self._claimed(), {}
        for position, cell in enumerate(self._cells):
            if position not in claimed:
                sources[cell.source.strip()] = position
        for name, cell in self._wanted.items():
            if not self.at[name] and not is_answer(cell) and cell.source.strip() in sources:
                self.at[name].append(sources[cell.source.strip()])
                self.bare.append(name)

    def _find_code(self, name: str, needed: frozenset[str]) -> None:
        filled = [position for position in self.at[name] if not self.is_blank(position, name)]
        defining = [position for position in filled if needed <= self._definitions(position)]
        others = [] if defining else list(self._others_defining(name, needed))
        if others:
            self.how[name] = How.ELSEWHERE if self.at[name] else How.NAME
            self.best[name] = others[-1]
            self.at[name] = sorted([*self.at[name], others[-1]])
        elif self.at[name]:
            self.best[name] = (defining or filled or self.at[name])[-1]

    def _others_defining(self, name: str, needed: frozenset[str]) -> Iterator[int]:
        """Cells of the student that define what the answer must, the most likely last."""
        owned = {position for other in self._needed for position in self.at[other]}
        graded = min(self.at.get(TEST_PREFIX + name) or [len(self._cells)])
        places = (position for position in range(len(self._cells)) if position not in self.at[name])
        defining = [
            position
            for position in places
            if needed <= self._definitions(position) and self._fingerprint(position) not in self._ours
        ]
        code = {position: self._cells[position].cell_type == "code" for position in defining}
        # behind its check, a student tries things out
        yield from sorted(defining, key=lambda place: (code[place], place not in owned, place <= graded, place))

    def _find_text(self, name: str) -> None:
        """A written answer; else the student's text behind its stub, or below the heading of the exercise."""
        filled = [position for position in self.at[name] if not self.is_blank(position, name)]
        start = self.at[name][-1] if self.at[name] else self._heading_above(name)
        if not filled and start is not None:
            texts = {position: text for position, text in self._texts_behind(start) if text}
            self.at[name] = sorted({*self.at[name], *(texts.keys() - {start})})
            stub = self._wanted[name].source.strip()
            if written := "\n\n".join(text for text in texts.values() if text != stub):
                self._written[name], self.how[name] = written, How.HEADING
        if self.at[name]:
            self.best[name] = (filled or self.at[name])[-1]

    def _texts_behind(self, start: int) -> Iterator[tuple[int, str]]:
        """What the student wrote from here to the next cell that is ours; first what was merged into this one."""
        yield start, self._without_ours(self._cells[start].source)
        claimed = self._claimed()
        for position in range(start + 1, len(self._cells)):
            cell = self._cells[position]
            if cell.cell_type == "code" or position in claimed or self._fingerprint(position) in self._ours:
                return
            yield position, self._without_ours(cell.source)

    def _heading_above(self, name: str) -> int | None:
        """The cell with the heading above an answer of the release; also one that something was merged into."""
        place = next(place for place, cell in enumerate(self._released) if grade_id(cell) == name)
        above = self._released[:place]
        heading = next((cell.source.strip() for cell in reversed(above) if cell.source.startswith("#")), None)
        if heading is None:
            return None
        found = [place for place, cell in enumerate(self._cells) if heading in cell.source]
        return found[-1] if found else None

    def _code(self, position: int) -> str:
        """The source of a cell, without text of the release that was merged into it."""
        source: str = self._cells[position].source
        if parse_cell(source):
            return source
        without = self._without_ours(source)
        return without if parse_cell(without) else source

    def _without_ours(self, source: str) -> str:
        """The source without Markdown of the release at its beginning and end."""
        texts = [c.source.strip() for c in self._released if c.cell_type == "markdown" and not is_answer(c)]
        source, before = source.strip("\n"), None
        while source != before:
            before = source
            for text in filter(None, texts):
                if f"{source}\n".startswith(f"{text}\n"):
                    source = source[len(text) :].strip("\n")
                elif source.endswith(f"\n{text}"):
                    source = source[: -len(text)].strip("\n")
        return source

    def _claimed(self) -> set[int]:
        return {position for places in self.at.values() for position in places}

    def _needed_by(self, name: str) -> frozenset[str]:
        """What the answer must define: the exercise, or else what the stub defines; nothing for a written answer."""
        cell = self._wanted[name]
        names = definitions(cell.source) if cell.cell_type == "code" else {}
        return frozenset([name] if name in names else names)

    def _fingerprint_of(self, position: int) -> str:
        return fingerprint(self._cells[position].source)

    def _definitions_of(self, position: int) -> frozenset[str]:
        return frozenset(definitions(self._code(position)))
