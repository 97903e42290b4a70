"""Read the store of the knowledge-graph memory server: things with observations, and relations between them.

It is JSON lines, `{"type": "entity", "name", "entityType", "observations"}` and `{"type": "relation", "from", "to",
"relationType"}`, or what that server answers: one object with `entities` and `relations`. Each thing becomes one entry
of the type `entity`, its observations the lines of its text, so that relations stay relations between entries.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from quoth.core.errors import ImportRefused
from quoth.core.names import printable_path
from quoth.services._incoming import Edge, Thing, Things, lines, resolved

TYPE = "entity"


def read_graph(path: Path) -> Things:
    """Read a store.

    Raises:
        ImportRefused: a line of it can't be read; nothing is imported then.
    """
    file = printable_path(str(path))
    observed: dict[str, list[str]] = {}
    kinds: dict[str, str] = {}
    edges: list[Edge] = []
    for number, record in _records(path):
        try:
            if record.get("type") == "relation":
                edges.append(Edge(_text(record, "from"), _text(record, "to"), _text(record, "relationType")))
                continue
            name = _text(record, "name")
            kinds.setdefault(name, _text(record, "entityType"))
            observed.setdefault(name, []).extend(_texts(record, "observations"))
        except ValueError as error:
            raise ImportRefused(file, str(error), number) from error
    place = printable_path(str(resolved(path)))
    return Things([_thing(place, name, kinds[name], said) for name, said in observed.items()], edges)


def is_record(record: object) -> bool:
    """Tell whether the first line of a file is one of such a store."""
    if not isinstance(record, Mapping):
        return False
    return record.get("type") in {"entity", "relation"} or isinstance(record.get("entities"), list)


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Yield the things and relations with the line where each stands."""
    for number, line in lines(path):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ImportRefused(printable_path(str(path)), "it is no JSON", number) from error
        if not is_record(record):
            raise ImportRefused(printable_path(str(path)), "it is neither an entity nor a relation", number)
        if "entities" not in record:
            yield number, record
            continue
        for each in record["entities"]:
            yield number, _object(each, "entity", path, number)
        for each in record.get("relations") or ():
            yield number, _object(each, "relation", path, number)


def _object(value: object, kind: str, path: Path, number: int) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ImportRefused(printable_path(str(path)), f"it holds no {kind} where one should be", number)
    return {**value, "type": kind}


def _thing(place: str, name: str, kind: str, observations: list[str]) -> Thing:
    said = dict.fromkeys(" ".join(each.split()) for each in observations if each.strip())
    head = f"{name} ({kind})" if kind.strip() else name
    return Thing(
        place=f"{place}, {name}",
        text="\n".join([head, *(f"- {each}" for each in said)]),
        name=name,
        further_name=name,
        type=TYPE,
        tags=[kind] if kind.strip() else [],
    )


def _text(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str) or (name != "entityType" and not value.strip()):
        raise ValueError(f"`{name}` is no text")
    return value


def _texts(record: Mapping[str, object], name: str) -> list[str]:
    value = record.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError(f"`{name}` is no list of texts")
    return value
