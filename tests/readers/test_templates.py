"""Templates of types: ours say something true, a deployment's replace them, a broken one is told with file and line."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from quoth.core.errors import InvalidArgument, TypeBroken, UnknownType
from quoth.core.ledger.values import EntryKind
from quoth.core.model import Json
from quoth.core.types import Level, Mode, Rule, Types
from quoth.readers.templates import read_types

OURS = Path(str(files("quoth") / "types"))
PLAIN = "kind: knowledge\ndescription: A thing that is so.\n"


@pytest.fixture
def types(tmp_path: Path) -> Path:
    folder = tmp_path / "types"
    folder.mkdir()
    return folder


def _write(folder: Path, name: str, text: str | bytes = PLAIN) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _broken(folder: Path) -> str:
    with pytest.raises(TypeBroken) as caught:
        read_types([folder])
    return str(caught.value)


def _bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


# --- ours ---


@pytest.mark.req("OV-2")
def test_the_built_in_types_are_those_of_the_three_kinds() -> None:
    found = read_types([OURS])
    assert {kind.value: {each.name for each in found.of(kind)} for kind in EntryKind} == {
        "memory": {"decision", "event", "handoff", "case", "trajectory", "note"},
        "knowledge": {"fact", "constraint", "entity", "tool", "lesson", "experience"},
        "cognition": {"preference", "rule", "skill", "profile", "identity", "soul"},
    }


def test_each_kind_has_a_plainest_type() -> None:
    found = read_types([OURS])
    assert [found.default(kind).name for kind in EntryKind] == ["note", "fact", "preference"]


def test_a_handoff_stays_on_its_branch_and_a_preference_is_the_person_s() -> None:
    found = read_types([OURS])
    assert found.get("handoff").place is Level.BRANCH
    assert found.get("preference").place is Level.TENANT
    assert found.get("fact").place is Level.REPOSITORY


def test_every_description_of_ours_is_a_sentence_and_said_once() -> None:
    for each in read_types([OURS]):
        said = [each.description, *(known.description for known in each.fields.values())]
        assert [text for text in said if not text.endswith(".") or not text[0].isupper()] == []
        assert len(set(said)) == len(said)


# --- a deployment's ---


@pytest.mark.req("OV-2")
def test_a_deployment_adds_types_and_replaces_ours_as_a_whole(types: Path) -> None:
    _write(types, "incident.yaml", PLAIN + "place: workspace\nmode: add_only\n")
    _write(types, "rule.yaml", "kind: knowledge\ndescription: A law of the land.\n")
    found = read_types([OURS, types])
    assert (found.get("incident").place, found.get("incident").mode) == (Level.WORKSPACE, Mode.ADD_ONLY)
    assert (found.get("rule").kind, found.get("rule").fields) == (EntryKind.KNOWLEDGE, {})
    assert found.get("skill").kind is EntryKind.COGNITION


def test_a_template_says_everything_about_a_type(types: Path) -> None:
    text = (
        "# ours\n"
        'kind: "memory"\n'
        "description: >\n  Two lines\n  of it.\n"
        "fields:\n  reason:\n    description: Why.\n  seen: {rule: sum, description: How often.}\n"
    )
    _write(types, "происшествие.yaml", "\ufeff" + text.replace("\n", "\r\n"))
    found = read_types([types]).get("происшествие")
    assert found.description == "Two lines of it."
    assert [(each.name, each.rule) for each in found.fields.values()] == [("reason", Rule.REPLACE), ("seen", Rule.SUM)]


def test_a_name_is_known_in_one_spelling(types: Path) -> None:
    _write(types, "cafe\u0301.yaml")
    assert read_types([types]).get("caf\u00e9").name == "caf\u00e9"


@pytest.mark.parametrize("name", ["README.md", ".hidden.yaml", "rule.yaml~", "rule.yaml.bak"])
def test_other_files_of_the_folder_are_nobody_s_type(types: Path, name: str) -> None:
    _write(types, name, "not: [yaml")
    assert list(read_types([types])) == []


def test_a_folder_that_is_not_there_adds_nothing(types: Path) -> None:
    assert list(read_types([types / "none", _write(types, "file.txt")])) == []


def test_an_unknown_type_is_told_with_those_that_there_are(types: Path) -> None:
    _write(types, "law.yaml")
    with pytest.raises(UnknownType, match=r"Unknown type lore\. Known types: law\."):
        read_types([types]).get("lore")


# --- broken ones ---


@pytest.mark.req("OV-2", "SEC-10")
@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "it is empty"),
        ("# only words\n", 1, "it is empty"),
        ("- kind\n", 1, "a template is no list of `name: value`"),
        ("kind: memory\n", 1, "`description` is missing"),
        ("description: Of what?\n", 1, "`kind` is missing"),
        ("kind: memory\ndescription: ''\n", 2, "`description` of x must be 1 to 1000 printable characters"),
        ("kind: memory\ndescription: 2019\n", 2, "`description` must be a text"),
        ("kind: memory\ndescription: [a, b]\n", 2, "`description` must be a text"),
        (PLAIN + "color: red\n", 3, "`color` is unknown; a template has description, fields, kind, mode, place"),
        (PLAIN + "kind: memory\n", 3, "`kind` is there twice"),
        (PLAIN + "place: planet\n", 3, "`place` must be one of branch, repository, workspace, tenant"),
        (PLAIN + "mode: no\n", 3, "`mode` must be a text"),
        (PLAIN + "fields:\n  - a\n", 3, "`fields` is no list of `name: value`"),
        (PLAIN + "fields:\n  a: text\n", 4, "the field `a` is no list of `name: value`"),
        (PLAIN + "fields:\n  a:\n    rule: sum\n", 4, "`description` is missing"),
        (PLAIN + "fields:\n  a: {description: A., rule: add}\n", 4, "`rule` must be one of patch, replace, sum, immut"),
        (PLAIN + "fields:\n  a: {description: A.}\n  a: {description: B.}\n", 5, "`a` is there twice"),
        (PLAIN + "fields:\n  a b: {description: A.}\n", 4, "`a b` is no name of a field"),
        (PLAIN + "fields:\n  ? [a]\n  : b\n", 4, "a name must be a text"),
        ("kind: memory\ndescription: a: b\n", 2, "it is no YAML (mapping values are not allowed in this context)"),
        ("kind: memory\n\tdescription: A.\n", 2, "it is no YAML"),
        (PLAIN + "place: [\n", 4, "it is no YAML"),
        (PLAIN + "---\n" + PLAIN, 3, "it is no YAML"),
        (PLAIN + "place: \x07\n", 3, "it holds a character that YAML does not allow"),
        ("kind: &k memory\ndescription: A.\n", 1, "anchors and aliases are not allowed"),
        ("kind: memory\ndescription: *k\n", 2, "anchors and aliases are not allowed"),
        ("kind: memory\ndescription: !!python/object/apply:os.getcwd []\n", 2, "tags are not allowed"),
        (PLAIN + "fields:\n  a: {b: {c: d}}\n", 4, "it is nested too deeply"),
        (PLAIN + "fields: " + "[" * 50_000 + "\n", 3, "it is n"),
        ("kind: memory\ndescription: " + "x" * 1_001 + "\n", 2, "`description` of x must be 1 to 1000 printable"),
        (PLAIN.encode() + b"place: \xff\n", 3, "it is no UTF-8"),
        (PLAIN + "#" * 65_536, 1, "it is larger than 64 KiB"),
    ],
)
def test_a_broken_template_is_told_with_file_and_line(types: Path, text: str | bytes, line: int, why: str) -> None:
    path = _write(types, "x.yaml", text)
    assert _broken(types).startswith(f"{path}, line {line}: {why}")


@pytest.mark.parametrize("name", ["a b.yaml", "_a.yaml", f"{'a' * 41}.yaml", "a:b.yaml"])
def test_a_file_whose_name_is_no_name_of_a_type_is_told(types: Path, name: str) -> None:
    _write(types, name)
    assert f"{name}, line 1: its name is no name of a type" in _broken(types)


def test_a_type_that_is_in_a_folder_twice_is_told(types: Path) -> None:
    _write(types, "x.yaml")
    _write(types, "x.yml")
    assert "x.yml, line 1: the type x is in this folder twice" in _broken(types)


@pytest.mark.req("SEC-10")
def test_a_link_out_of_the_folder_is_not_followed(types: Path, tmp_path: Path) -> None:
    (types / "x.yaml").symlink_to(_write(tmp_path, "x.yaml"))
    assert "it is a link that leads out of its folder" in _broken(types)


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, _bind])
def test_what_is_no_file_is_told_and_never_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    make(Path("x.yaml"))
    assert "it is no file that can be read" in _broken(tmp_path)


def test_a_folder_of_too_many_types_is_told(types: Path) -> None:
    for number in range(501):
        _write(types, f"t{number:03}.yaml")
    assert "t500.yaml, line 1: a folder holds at most 500 types" in _broken(types)


# --- rules ---


def _merged(types: Path, rule: str, old: Json, new: Json) -> Mapping[str, Json]:
    _write(types, "x.yaml", PLAIN + f"fields:\n  f: {{rule: {rule}, description: F.}}\n")
    there = {} if old is None else {"f": old}
    return read_types([types]).get("x").merged(there, {"f": new})


@pytest.mark.req("OV-2")
@pytest.mark.parametrize(
    ("rule", "old", "new", "merged"),
    [
        ("replace", "a", "b", {"f": "b"}),
        ("replace", ["a"], ["b"], {"f": ["b"]}),
        ("replace", "a", None, {}),
        ("patch", "a", "b", {"f": "b"}),
        ("patch", ["a", "b"], ["b", "c"], {"f": ["a", "b", "c"]}),
        ("patch", {"a": 1, "b": 2}, {"b": 3, "a": None, "c": 4}, {"f": {"b": 3, "c": 4}}),
        ("patch", None, ["a"], {"f": ["a"]}),
        ("sum", 2, 3, {"f": 5}),
        ("sum", None, 3, {"f": 3}),
        ("sum", 3, None, {}),
        ("immutable", None, "a", {"f": "a"}),
        ("immutable", "a", "a", {"f": "a"}),
    ],
)
def test_a_field_changes_by_its_rule(types: Path, rule: str, old: Json, new: Json, merged: Mapping[str, Json]) -> None:
    assert _merged(types, rule, old, new) == merged


@pytest.mark.parametrize(
    ("rule", "old", "new", "said"),
    [
        ("immutable", "a", "b", "`fields.f` must be what it is; this field never changes."),
        ("immutable", "a", None, "`fields.f` must be what it is; this field never changes."),
        ("sum", 1, "two", "`fields.f` must be a number, which is added to what is there."),
        ("sum", 1, True, "`fields.f` must be a number, which is added to what is there."),
    ],
)
def test_a_value_that_its_rule_refuses_is_told(types: Path, rule: str, old: Json, new: Json, said: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        _merged(types, rule, old, new)
    assert str(caught.value) == said


def test_a_field_that_a_type_does_not_have_is_told_with_those_it_has() -> None:
    found: Types = read_types([OURS])
    with pytest.raises(InvalidArgument, match="fields of the type profile: properties"):
        found.get("profile").merged({}, {"age": 7})
