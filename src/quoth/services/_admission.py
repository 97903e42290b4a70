"""Admit what a writer says of an entry: checked, without secrets, in the values of the ledger (DESIGN §6).

Nothing of a text is stored, compared or looked for before it went through here. What addresses an agent's instructions
is recognised here, too; whoever stores it, stores it quarantined (`services._deciding`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

from quoth.core import times
from quoth.core.errors import InvalidArgument
from quoth.core.ids import EntryId
from quoth.core.inference import Inferred
from quoth.core.ledger.values import GLOBAL, Attribution, EntryKind, Epistemic, Statement
from quoth.core.memory import MemoryIndex, Quoted
from quoth.core.model import Json
from quoth.core.owners import owner
from quoth.core.redact import Redactor
from quoth.core.speaker import PERSON, Speaker
from quoth.core.types import EntryType, Mode, Types
from quoth.services._quarantine import rules_of

_TEXT = 8 * 1024  # bytes of a statement
_FIELDS = 16 * 1024  # bytes of all fields as JSON
_GIVEN = 256 * 1024  # characters that are looked at at all
_NAME, _TAG, _REASON = 200, 100, 2_000  # characters
_TAGS, _SOURCES = 50, 100
_DEEPEST = 8  # levels of a field's value
_WHOLE = 2**53  # what every reader of JSON takes for the same number
_STRENGTH = "a number from 0 to 1"

CONFIDENCES = {Epistemic.POSSIBLE: 0.5, Epistemic.ACTUAL: 0.8, Epistemic.NECESSARY: 1.0}  # DESIGN §11

_BROKEN = re.compile("[\0\ud800-\udfff]")  # neither JSON, nor a terminal, nor every database takes these
_SECRET = re.compile(r"(?:[\w.-]{1,64}\s{0,8}[:=]\s{0,8})?[\"'`]?\[REDACTED:[a-z_]{1,40}\]")


@dataclass(slots=True)
class Admission:
    """Admits what one writer gives, and counts the secrets that were taken out."""

    types: Types
    now: int
    redact: Redactor = field(default_factory=Redactor)
    _stored: list[str] = field(default_factory=list)

    @property
    def redacted(self) -> int:
        return self.redact.taken.total()

    def hostile(self) -> tuple[str, ...]:
        """Return the rules by which something that was admitted addresses an agent's instructions (SEC-6)."""
        return rules_of(self._stored)

    # --- words ---

    def text(self, given: object) -> str:
        text = self._plain(given, "text")
        if not _has_words(text):
            raise InvalidArgument("text", "a statement that says something")
        if not _says_something(text):
            raise InvalidArgument("text", "a statement; without the secret in it nothing is left of it")
        if len(text.encode()) > _TEXT:
            raise InvalidArgument("text", f"at most {_TEXT} bytes long; keep one statement in one entry")
        return text

    def name(self, given: object) -> str | None:
        """Return a name in one spelling; None where none is given."""
        name = normalize("NFC", self._plain(given, "name")) if given is not None else ""
        if len(name) > _NAME or not name.isprintable() or (name and not _says_something(name)):
            raise InvalidArgument("name", f"one line of at most {_NAME} printable characters, without a secret")
        return name or None

    def tags(self, given: object) -> tuple[str, ...]:
        if isinstance(given, str) or not isinstance(given, Sequence) or len(given) > _TAGS:
            raise InvalidArgument("tags", f"a list of at most {_TAGS} texts")
        tags = [self._plain(tag, "tags") for tag in given]
        if any(len(tag) > _TAG or not tag.isprintable() for tag in tags):
            raise InvalidArgument("tags", f"texts of one line and at most {_TAG} printable characters")
        return tuple(dict.fromkeys(filter(None, tags)))

    def owner(self, given: str | None) -> str:
        """Return who owns a statement; everybody where nobody is given."""
        said = owner(given) if given else GLOBAL
        if Redactor()(said) != said:
            raise InvalidArgument("agent", "a name, and no secret")
        return said

    def reason(self, given: object, argument: str = "reason") -> str:
        """Return why something is so; "" where nothing is said."""
        admitted = self._plain if argument == "uncited" else self._redacted  # a reason stays in the history
        reason = admitted(given, argument) if given is not None else ""
        if len(reason) > _REASON:
            raise InvalidArgument(argument, f"at most {_REASON} characters long")
        return reason

    def _plain(self, given: object, argument: str) -> str:
        """Return a text that readers of the entry will be shown."""
        text = self._redacted(given, argument)
        self._stored.append(text)
        return text

    def _redacted(self, given: object, argument: str) -> str:
        if not isinstance(given, str):
            raise InvalidArgument(argument, "a text")
        if len(given) > _GIVEN:
            raise InvalidArgument(argument, f"at most {_GIVEN} characters long")
        return self.redact(_BROKEN.sub("\ufffd", given)).strip()

    # --- numbers and times ---

    def strength(self, given: object, argument: str, default: float) -> float:
        if given is None:
            return default
        if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
            raise InvalidArgument(argument, _STRENGTH)
        return float(given)

    def instant(self, given: object, argument: str) -> int | None:
        if given is None:
            return None
        if not isinstance(given, str):
            raise InvalidArgument(argument, "a time as a text, such as 7d or 2026-10-19")
        return times.parse(given.strip(), argument=argument, now=self.now)

    # --- kind, type and fields ---

    def type(self, given: object, kind: object) -> EntryType:
        """Return the type of an entry; where only its kind is given, the plainest of that kind.

        Raises:
            InvalidArgument, UnknownType: one of them is unknown, or the type is of another kind.
        """
        wanted = _kind(kind)
        if given is None:
            return self.types.default(wanted or EntryKind.MEMORY)
        found = self.types.get(self._redacted(given, "type"))
        if wanted not in {None, found.kind}:
            raise InvalidArgument("kind", f"{found.kind} for the type {found.name}")
        return found

    def inferred_type(self, inferred: Inferred) -> EntryType:
        """Return the type that the words of a statement tell; the plainest of its kind where they can't begin one."""
        found = self.types.by_name.get(inferred.type)
        if found is None or found.mode is Mode.UPDATE_ONLY or found.kind is not inferred.kind:
            return self.types.default(inferred.kind)
        return found

    def fields(self, given: object, of: EntryType, old: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the fields of an entry when these are given to it, each by its rule."""
        if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
            raise InvalidArgument("fields", "an object")
        merged = of.merged(old, {name: self._json(value, name) for name, value in given.items()})
        if len(json.dumps(merged, ensure_ascii=False).encode()) > _FIELDS:
            raise InvalidArgument("fields", f"at most {_FIELDS} bytes as JSON")
        return merged

    def _json(self, value: object, name: str, depth: int = 1) -> Json:
        match value:
            case None | bool():
                return value
            case int() if abs(value) <= _WHOLE:
                return value
            case float() if math.isfinite(value):
                return value
            case str():
                return self._valued(name, value)
            case Mapping() if depth < _DEEPEST and all(isinstance(key, str) for key in value):
                return {self._plain(key, "fields"): self._json(each, key, depth + 1) for key, each in value.items()}
            case Sequence() if depth < _DEEPEST:
                return [self._json(each, name, depth + 1) for each in value]
            case _:
                raise InvalidArgument(f"fields.{name}", f"plain JSON of at most {_DEEPEST} levels")

    def _valued(self, name: str, value: str) -> str:
        """Redact a value as it would be beside its name: a password is often known by that alone."""
        plain = self._plain(value, f"fields.{name}")
        beside = f"{name}="
        return self.redact(f"{beside}{plain}").removeprefix(beside)


def _says_something(text: str) -> bool:
    """Tell whether anything is left of a text without its secrets and what names them."""
    return _has_words(_SECRET.sub("", text))


def _has_words(text: str) -> bool:
    return any(letter.isalnum() for letter in text)


def _kind(given: object) -> EntryKind | None:
    if given is None:
        return None
    if given not in list(EntryKind):
        raise InvalidArgument("kind", f"one of {', '.join(EntryKind)}")
    return EntryKind(str(given))


# --- what is checked together ---


def demand_order(valid_from: int | None, valid_to: int | None) -> None:
    if valid_from is not None and valid_to is not None and valid_from > valid_to:
        raise InvalidArgument("valid_from", "no later than `valid_to`")


def demand_sources(sources: object) -> None:
    if isinstance(sources, str) or not isinstance(sources, Sequence) or len(sources) > _SOURCES:
        raise InvalidArgument("sources", f"a list of at most {_SOURCES} events and quotes")
    if not all(isinstance(source, Quoted) for source in sources):
        raise InvalidArgument("sources", "a list of events and quotes")


def demand_one(sources: Sequence[Quoted], uncited: str) -> None:
    """Demand that a statement cites something, or says why not."""
    if not sources and not uncited:
        raise InvalidArgument(
            "sources", "said: what the statement comes from; or say in `uncited` why nothing is cited"
        )
    if sources and uncited:
        raise InvalidArgument("uncited", "left out when `sources` are given")


def demand_free_name(entries: MemoryIndex, said: Statement, *, root: EntryId | None = None) -> None:
    """Demand that no other entry of the same scope and type has the name of a statement (DESIGN §3)."""
    named = entries.named(said.name, type=said.type, scope=said.scope) if said.name else ()
    for row in named:
        if row.root != root:
            raise InvalidArgument("name", f"another one: {row.id} has it; correct that entry instead")


def attribution(by: Speaker) -> Attribution:
    """Return whose statement it is: of the person, of their agent, or of somebody else whom the writer names."""
    if by.is_person or by.said == PERSON:
        return Attribution.USER
    return Attribution.AGENT if by.said in {None, "agent"} else Attribution.OTHER
