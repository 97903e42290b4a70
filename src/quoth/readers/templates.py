"""Read the templates of types: one YAML file each, named after the type.

A template that can't be used is an error with file and line; a type is never silently missing. A folder of a deployment
is foreign input: files are small, regular and in the folder, and YAML is plain data without anchors or tags.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeVar
from unicodedata import normalize

from quoth.core.errors import ReadFailed, TypeBroken
from quoth.core.ledger.values import EntryKind
from quoth.core.names import printable_path
from quoth.core.types import EntryType, Field, Level, Mode, Rule, Types
from quoth.readers.compressed import open_regular

if TYPE_CHECKING:
    import yaml

_LARGEST = 64 * 1024  # bytes of one template
_MOST = 500  # templates of one folder
_DEEPEST = 3  # the template, its fields, one field
_LONGEST = 1_000  # characters of a description
_NAME = re.compile(r"[^\W_][\w-]{0,39}")
_SUFFIXES = (".yaml", ".yml")


class _Mark(Protocol):
    """Where in a document something stands; both of the library's readers have their own."""

    line: int


_Word = TypeVar("_Word", bound=StrEnum)


def read_types(folders: Sequence[Path]) -> Types:
    """Read the templates of all folders; a type of a later folder replaces one of the same name.

    Raises:
        TypeBroken: a template can't be used.
    """
    found: dict[str, EntryType] = {}
    for folder in folders:
        found.update(_in_folder(folder))
    return Types(found)


def _in_folder(folder: Path) -> Mapping[str, EntryType]:
    found: dict[str, EntryType] = {}
    for number, path in enumerate(_files(folder)):
        if number >= _MOST:
            raise TypeBroken(_shown(path), 1, f"a folder holds at most {_MOST} types")
        name = normalize("NFC", path.stem)  # macOS gives names apart
        if name in found:
            raise TypeBroken(_shown(path), 1, f"the type {name} is in this folder twice")
        found[name] = _read(path, name)
    return found


def _files(folder: Path) -> Sequence[Path]:
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise TypeBroken(_shown(folder), 1, f"the folder can't be read ({error.strerror})") from error
    return [folder / name for name in names if name.endswith(_SUFFIXES) and not name.startswith(".")]


def _read(path: Path, name: str) -> EntryType:
    if not _NAME.fullmatch(name):
        raise TypeBroken(_shown(path), 1, "its name is no name of a type: up to 40 letters, digits, `-` and `_`")
    return _Template(_shown(path), _document(path)).read(name)


# --- bytes ---


def _document(path: Path) -> str:
    data = _bytes(path)
    if len(data) > _LARGEST:
        raise TypeBroken(_shown(path), 1, f"it is larger than {_LARGEST // 1024} KiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TypeBroken(_shown(path), data.count(b"\n", 0, error.start) + 1, "it is no UTF-8") from error


def _bytes(path: Path) -> bytes:
    real = path.resolve()
    if real.parent != path.parent.resolve():
        raise TypeBroken(_shown(path), 1, "it is a link that leads out of its folder")
    try:
        with open(open_regular(real), "rb") as file:
            return file.read(_LARGEST + 1)
    except (OSError, ReadFailed) as error:
        raise TypeBroken(_shown(path), 1, "it is no file that can be read") from error


def _shown(path: Path) -> str:
    return printable_path(str(path))


# --- YAML ---


@dataclass(frozen=True, slots=True)
class _Value:
    """One value of a template with the line where it stands."""

    line: int
    value: str | Mapping[str, _Value] | None


@dataclass(frozen=True, slots=True)
class _Template:
    """One template. Everything that is wrong with it is told with the line."""

    file: str
    text: str

    def read(self, name: str) -> EntryType:
        parts = self._mapping(self._root(), "a template", {"kind", "description", "place", "mode", "fields"})
        fields = self._mapping(parts["fields"], "`fields`") if "fields" in parts else {}
        return EntryType(
            name=name,
            kind=self._word(parts, "kind", EntryKind),
            description=self._description(parts, name),
            place=self._word(parts, "place", Level, Level.REPOSITORY),
            mode=self._word(parts, "mode", Mode, Mode.UPSERT),
            fields={each: self._field(each, value) for each, value in fields.items()},
        )

    def _field(self, name: str, given: _Value) -> Field:
        if not _NAME.fullmatch(name):
            self._break(given.line, f"`{name}` is no name of a field: up to 40 letters, digits, `-` and `_`")
        parts = self._mapping(given, f"the field `{name}`", {"rule", "description"})
        return Field(name, self._word(parts, "rule", Rule, Rule.REPLACE), self._description(parts, name))

    def _mapping(self, given: _Value, what: str, known: Collection[str] = ()) -> _Parts:
        if not isinstance(given.value, Mapping):
            self._break(given.line, f"{what} is no list of `name: value`")
        for name, value in given.value.items():
            if known and name not in known:
                self._break(value.line, f"`{name}` is unknown; {what} has {', '.join(sorted(known))}")
        return _Parts(given.line, given.value)

    def _word(self, parts: _Parts, name: str, words: type[_Word], default: _Word | None = None) -> _Word:
        if name not in parts and default is not None:
            return default
        given = self._text(parts, name)
        if given.value not in list(words):
            self._break(given.line, f"`{name}` must be one of {', '.join(words)}")
        return words(str(given.value))

    def _description(self, parts: _Parts, of: str) -> str:
        given = self._text(parts, "description")
        text = " ".join(str(given.value).split())
        if not text or len(text) > _LONGEST or not text.isprintable():
            self._break(given.line, f"`description` of {of} must be 1 to {_LONGEST} printable characters")
        return text

    def _text(self, parts: _Parts, name: str) -> _Value:
        if name not in parts:
            self._break(parts.line, f"`{name}` is missing")
        if not isinstance(parts[name].value, str):
            self._break(parts[name].line, f"`{name}` must be a text")
        return parts[name]

    def _break(self, line: int, why: str) -> NoReturn:
        raise TypeBroken(self.file, line, why)

    # --- the document ---

    def _root(self) -> _Value:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            self._demand_plain(yaml.parse(self.text, Loader=loader))
            node = yaml.compose(self.text, Loader=loader)
        except yaml.MarkedYAMLError as error:
            self._break(_line(error.problem_mark or error.context_mark), f"it is no YAML ({error.problem})")
        except yaml.YAMLError:  # a character that no YAML holds
            self._break(self._odd_line(), "it holds a character that YAML does not allow")
        if node is None:
            self._break(1, "it is empty")
        return self._value(node)

    def _demand_plain(self, events: Iterator[yaml.Event]) -> None:
        """Refuse, before anything is built, what could make a small file large or a deep one endless."""
        import yaml

        depth = 0
        for event in events:
            line = _line(event.start_mark)
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                self._break(line, "anchors and aliases are not allowed in a template")
            if getattr(event, "tag", None):
                self._break(line, "tags are not allowed in a template")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                self._break(line, "it is nested too deeply")

    def _value(self, node: yaml.Node) -> _Value:
        import yaml

        line = _line(node.start_mark)
        if isinstance(node, yaml.MappingNode):
            return _Value(line, self._pairs(node))
        is_text = isinstance(node, yaml.ScalarNode) and (node.style or node.tag == "tag:yaml.org,2002:str")
        return _Value(line, node.value if is_text else None)

    def _pairs(self, node: yaml.MappingNode) -> Mapping[str, _Value]:
        found: dict[str, _Value] = {}
        for key, value in node.value:
            line = _line(key.start_mark)
            name = self._value(key).value
            if not isinstance(name, str):
                self._break(line, "a name must be a text")
            if name in found:
                self._break(line, f"`{name}` is there twice")
            found[name] = _Value(line, self._value(value).value)
        return found

    def _odd_line(self) -> int:
        return next((n for n, line in enumerate(self.text.split("\n"), 1) if _ODD.search(line)), 1)


def _line(mark: _Mark | None) -> int:
    return mark.line + 1 if mark else 1


_ODD = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Parts(Mapping[str, _Value]):
    """The pairs of a mapping, with the line where it begins."""

    def __init__(self, line: int, pairs: Mapping[str, _Value]) -> None:
        self.line = line
        self._pairs = pairs

    def __getitem__(self, name: str) -> _Value:
        return self._pairs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)
