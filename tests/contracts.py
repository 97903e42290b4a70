"""Hold the requirement lists of docs/contracts against the tests that are marked with their ids.

`python tests/contracts.py` fails and says why when an id is promised without a test, tested without being promised,
unknown or listed twice; otherwise it prints how far each contract is.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_ROW = re.compile(r"\| (?P<id>[A-Z]+-\d+) \| (?P<text>.+) \| (?P<status>[^|]+) \|")
_PART = re.compile(r"part: \S.*")
_ID = re.compile(r"\b[A-Z]{2,4}-\d+\b")


@dataclass(frozen=True)
class Requirement:
    """One row of a contract list. `status` is `built`, `part: what is missing` or `later`."""

    id: str
    contract: str
    text: str
    status: str

    @property
    def is_promised(self) -> bool:
        return self.status != "later"

    @property
    def is_measured(self) -> bool:
        """Speed and quality are shown by a command of bench/, never by a timed test."""
        return self.id.startswith("PER-")


@dataclass(frozen=True)
class Mark:
    """A requirement id that a test names, and where."""

    id: str
    place: str


def read_lists(folder: Path) -> Iterator[Requirement | str]:
    """Yield the requirements of every list, and a sentence for each row that can't be read."""
    for page in sorted(folder.glob("*.md")):
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            if line.startswith("|") and _ID.match(line[2:]):
                yield _requirement(line, page, number)


def _requirement(line: str, page: Path, number: int) -> Requirement | str:
    match = _ROW.fullmatch(line)
    status = match["status"].strip() if match else ""
    if not match or not (status in {"built", "later"} or _PART.fullmatch(status)):
        return f"{page.name}:{number}: a row is `| ID | requirement | built, later or part: what is missing |`."
    return Requirement(match["id"], page.stem, match["text"].strip(), status)


def read_marks(folder: Path) -> Iterator[Mark | str]:
    """Yield every id in a `@pytest.mark.req(...)` of a test file, without importing it."""
    for file in sorted(folder.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"), str(file))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.req":
                yield from _marks(node, f"{file.relative_to(folder.parent)}:{node.lineno}")


def _marks(call: ast.Call, place: str) -> Iterator[Mark | str]:
    for argument in call.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield Mark(argument.value, place)
        else:
            yield f"{place}: `req` takes ids as plain strings, so that they can be found without running the tests."


def read_benches(folder: Path) -> frozenset[str]:
    """Return the ids that commands of bench/ name."""
    return frozenset(found for file in folder.rglob("*.py") for found in _ID.findall(file.read_text("utf-8")))


def problems(listed: Iterable[Requirement], marks: Iterable[Mark], benches: frozenset[str]) -> Iterator[str]:
    """Compare what is promised with what is tested; each sentence names the id and the way out."""
    listed = list(listed)
    known = {requirement.id: requirement for requirement in listed}
    yield from (f"{name} is listed {n} times." for name, n in Counter(r.id for r in listed).items() if n > 1)
    tested = {mark.id for mark in marks}
    for requirement in known.values():
        yield from _uncovered(requirement, tested, benches)
    for mark in marks:
        yield from _unpromised(mark, known)


def _uncovered(requirement: Requirement, tested: set[str], benches: frozenset[str]) -> Iterator[str]:
    named, status = requirement.id, requirement.status.partition(":")[0]
    if requirement.is_promised and requirement.is_measured and named not in benches:
        yield f"{named} is marked {status}, but no command of bench/ names it."
    elif requirement.is_promised and not requirement.is_measured and named not in tested:
        yield f'{named} is marked {status}, but no test has @pytest.mark.req("{named}").'


def _unpromised(mark: Mark, known: Mapping[str, Requirement]) -> Iterator[str]:
    if mark.id not in known:
        yield f"{mark.place}: no list of docs/contracts has {mark.id}."
    elif not known[mark.id].is_promised:
        page = f"docs/contracts/{known[mark.id].contract}.md"
        yield f"{mark.place}: {mark.id} is tested but marked `later`; say in {page} what is built of it."


def table(listed: Iterable[Requirement], marks: Iterable[Mark]) -> Iterator[str]:
    """Yield the state of every contract as lines of text: counts, then the ids that are not wholly built."""
    listed = list(listed)
    tests = Counter(mark.id for mark in marks)
    yield f"{'contract':<12}{'built':>7}{'part':>7}{'later':>7}{'marks':>7}"
    for contract in dict.fromkeys(requirement.contract for requirement in listed):
        mine = [requirement for requirement in listed if requirement.contract == contract]
        counts = Counter(requirement.status.partition(":")[0] for requirement in mine)
        marked = sum(tests[requirement.id] for requirement in mine)
        yield f"{contract:<12}{counts['built']:>7}{counts['part']:>7}{counts['later']:>7}{marked:>7}"
    yield from (f"{r.id:<8}{r.status}" for r in listed if r.status.startswith("part"))
    yield f"later:  {' '.join(spans(r.id for r in listed if not r.is_promised))}"


def spans(ids: Iterable[str]) -> Iterator[str]:
    """Shorten neighbours: `ORI-1 … ORI-3`, in the order given, become `ORI-1…3`."""
    group: list[tuple[str, int]] = []
    for each in ids:
        name, _, number = each.rpartition("-")
        if group and group[-1] != (name, int(number) - 1):
            yield _span(group)
            group = []
        group.append((name, int(number)))
    if group:
        yield _span(group)


def _span(group: list[tuple[str, int]]) -> str:
    (name, first), (_, last) = group[0], group[-1]
    return f"{name}-{first}" if first == last else f"{name}-{first}…{last}"


def main(root: Path, *, quiet: bool = False) -> int:
    """Print what is wrong, or the table; return the exit status."""
    rows, found = list(read_lists(root / "docs/contracts")), list(read_marks(root / "tests"))
    listed = [row for row in rows if isinstance(row, Requirement)]
    marks = [mark for mark in found if isinstance(mark, Mark)]
    unreadable = [sentence for sentence in (*rows, *found) if isinstance(sentence, str)]
    wrong = [*unreadable, *problems(listed, marks, read_benches(root / "bench"))]
    if not listed:
        wrong.append("docs/contracts has no list.")
    lines = wrong or ([] if quiet else table(listed, marks))
    print(*lines, sep="\n", end="\n" if lines else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parents[1], quiet="--quiet" in sys.argv[1:]))
