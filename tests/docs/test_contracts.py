"""The check of the requirement lists: what it must refuse, and that our own lists can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

import contracts
from contracts import Requirement

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with one list, one test file and one bench command that agree."""
    _write(tmp_path / "docs/contracts/quoth.md", _rows("INV-1 | built", "INV-2 | later", "PER-3 | part: the million"))
    _write(tmp_path / "tests/deep/test_it.py", _test("INV-1"))
    _write(tmp_path / "bench/ingest.py", '"""PER-3"""\n')
    return tmp_path


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def _rows(*rows: str) -> str:
    named = (row.split(" | ") for row in rows)
    return "| id | requirement | status |\n|---|---|---|\n" + "".join(f"| {i} | Words. | {s} |\n" for i, s in named)


def _test(*ids: str) -> str:
    return f"import pytest\n\n@pytest.mark.req({', '.join(map(repr, ids))})\ndef test_it() -> None: ...\n"


def _refusal(project: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert contracts.main(project) == 1
    return capsys.readouterr().out


def test_lists_and_tests_that_agree_pass_and_print_the_table(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert contracts.main(project) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].split() == ["quoth", "1", "1", "1", "1"]
    assert printed[2:] == ["PER-3   part: the million", "later:  INV-2"]


def test_quiet_agreement_prints_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert contracts.main(project, quiet=True) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("status", ["built", "part: forks"])
def test_a_promise_without_a_test_is_refused(project: Path, capsys: pytest.CaptureFixture[str], status: str) -> None:
    _write(project / "docs/contracts/hmg.md", _rows(f"HMG-1 | {status}"))
    assert 'no test has @pytest.mark.req("HMG-1")' in _refusal(project, capsys)


def test_a_test_of_a_later_id_is_refused_with_its_place(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(project / "tests/test_more.py", _test("INV-1", "INV-2"))
    refused = _refusal(project, capsys)
    assert "tests/test_more.py:3: INV-2 is tested but marked `later`" in refused
    assert "docs/contracts/quoth.md" in refused


def test_an_unknown_id_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(project / "tests/test_more.py", _test("INV-11"))
    assert "no list of docs/contracts has INV-11" in _refusal(project, capsys)


def test_an_id_listed_twice_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(project / "docs/contracts/hmg.md", _rows("INV-1 | built"))
    assert "INV-1 is listed 2 times." in _refusal(project, capsys)


def test_a_speed_without_a_bench_command_is_refused_even_when_a_test_names_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(project / "tests/test_more.py", _test("PER-3"))
    _write(project / "bench/ingest.py", '"""PER-31"""\n')
    assert "PER-3 is marked part, but no command of bench/ names it." in _refusal(project, capsys)


@pytest.mark.parametrize("status", ["done", "part", "part:", "Built"])
def test_a_row_with_another_status_is_refused(project: Path, capsys: pytest.CaptureFixture[str], status: str) -> None:
    _write(project / "docs/contracts/hmg.md", _rows(f"HMG-1 | {status}"))
    assert "hmg.md:3" in _refusal(project, capsys)


def test_ids_that_are_not_plain_strings_are_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(project / "tests/test_more.py", "import pytest\n\npytestmark = pytest.mark.req(*IDS)\n")
    assert "tests/test_more.py:3: `req` takes ids as plain strings" in _refusal(project, capsys)


def test_marks_are_found_without_running_the_test_file(project: Path) -> None:
    _write(project / "tests/test_more.py", "raise SystemExit\n" + _test("INV-1"))
    assert contracts.main(project, quiet=True) == 0


def test_no_list_at_all_is_refused(tmp_path: Path) -> None:
    assert contracts.main(tmp_path) == 1


def test_neighbouring_ids_are_shortened() -> None:
    assert list(contracts.spans(["A-1", "A-2", "A-3", "A-5", "B-6"])) == ["A-1…3", "A-5", "B-6"]


def test_our_own_lists_hold_every_number_once_and_in_order() -> None:
    rows = list(contracts.read_lists(ROOT / "docs/contracts"))
    listed = [row for row in rows if isinstance(row, Requirement)]
    assert rows == listed
    for name in {row.id.partition("-")[0] for row in listed}:
        numbers = [int(row.id.partition("-")[2]) for row in listed if row.id.startswith(f"{name}-")]
        assert numbers == list(range(1, len(numbers) + 1)), name
