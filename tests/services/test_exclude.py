"""What the person excludes is not read; everything else is, and the two are told apart part by part."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.ids import SourceId
from quoth.core.model import Exclusion, Form, Found, Signature
from quoth.services.exclude import allows
from services.archive import Archive

CODEX = SourceId("codex")


def _found(key: str = "2026/10/19/rollout-1.jsonl", root: str = "/home/ada/.codex/sessions") -> Found:
    return Found(key, Path(root, key), Form.LOG, key, Signature(1, 2, 3, 4, 5))


def _allows(kind: str, value: str, *, cwd: str | None = None, names: tuple[str, ...] = ()) -> bool:
    exclusions = [Exclusion(kind, value)]
    return allows(exclusions, source=CODEX, found=_found(), cwd=cwd, names=names)


@pytest.mark.req("QUO-11")
def test_a_source_is_excluded_by_its_id_alone() -> None:
    assert not _allows("source", "codex")
    assert _allows("source", "code")
    assert _allows("source", "claude-code")


@pytest.mark.req("QUO-11")
def test_a_folder_is_excluded_with_all_below_it_and_no_neighbour() -> None:
    assert not _allows("folder", "/src/app", cwd="/src/app")
    assert not _allows("folder", "/src/app", cwd="/src/app/sub/deep")
    assert not _allows("folder", "/src/app/", cwd="/src/app/sub")
    assert not _allows("folder", "C:\\Src\\App", cwd="/mnt/c/src/app/x")
    assert _allows("folder", "/src/app", cwd="/src/app-2")
    assert _allows("folder", "/src/app/sub", cwd="/src/app")
    assert _allows("folder", "/src/app", cwd=None)


@pytest.mark.req("QUO-11")
def test_a_project_is_excluded_under_every_name_it_has() -> None:
    names = ("git:github.com/acme/shop", "acme/Shop", "Shop")
    assert not any(_allows("project", name, names=names) for name in ("shop", "ACME/shop", "git:github.com/acme/shop"))
    assert _allows("project", "acme/shop-2", names=names)
    assert _allows("project", "acme/shop", names=())


@pytest.mark.req("QUO-11")
@pytest.mark.parametrize(
    ("pattern", "is_excluded"),
    [
        ("/home/ada/.codex/**", True),
        ("/home/*/.codex/*", True),
        ("2026/10/*", True),
        ("rollout-?.jsonl", True),
        ("*.jsonl", True),
        ("10/19/*", False),
        ("rollout-", False),
        ("ROLLOUT-1.jsonl", False),
        ("*.zst", False),
    ],
)
def test_a_pattern_is_a_glob_over_the_path_of_a_log(pattern: str, is_excluded: bool) -> None:
    assert _allows("pattern", pattern) is not is_excluded


@given(st.lists(st.builds(Exclusion, st.sampled_from(["project", "folder", "source", "pattern"]), st.text(max_size=9))))
def test_more_exclusions_never_let_more_through(exclusions: list[Exclusion]) -> None:
    def ask(chosen: list[Exclusion]) -> bool:
        return allows(chosen, source=CODEX, found=_found("a/b"), cwd="/src/a", names=("a", "o/a"))

    assert ask(exclusions) == all(ask([exclusion]) for exclusion in exclusions)
    assert ask([])


@pytest.mark.req("QUO-11")
@pytest.mark.parametrize(
    ("source", "variable", "folder"),
    [("grok", "GROK_HOME", "/home/dev/demo-app"), ("gemini-cli", "GEMINI_CLI_HOME", "/home/dev/demo-app")],
)
def test_a_folder_is_excluded_also_where_the_log_does_not_name_it(
    archive: Archive, source: str, variable: str, folder: str
) -> None:
    samples = Path(__file__).parent.parent / "data" / "sources" / source / "everyday" / "home"
    root = archive.folder / "agent"
    shutil.copytree(samples, root / ".gemini" if source == "gemini-cli" else root)
    archive.env[variable] = str(root)
    archive.ask(lambda kernel: kernel.exclude.add("folder", folder))
    archive.sync()
    assert archive.spoken() == []
    archive.ask(lambda kernel: kernel.exclude.remove("folder", folder))
    archive.sync()
    assert len(archive.spoken()) > 2
