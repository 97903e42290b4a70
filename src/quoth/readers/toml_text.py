"""Change single values in a TOML text and keep every comment, blank line and unknown key of the person."""

from __future__ import annotations

from collections.abc import MutableMapping

import tomlkit


def with_value(text: str, key: str, value: bool | int | str) -> str:
    """Return the text with a dotted key set."""
    document = tomlkit.parse(text)
    table: MutableMapping[str, object] = document
    *tables, name = key.split(".")
    for part in tables:
        if part not in table:
            table[part] = tomlkit.table()
        table = _inner(table, part)
    table[name] = value
    return tomlkit.dumps(document)


def without_value(text: str, key: str) -> str:
    """Return the text without a dotted key; its table stays, with the comments in it."""
    document = tomlkit.parse(text)
    table: MutableMapping[str, object] = document
    *tables, name = key.split(".")
    for part in tables:
        if part not in table:
            return text
        table = _inner(table, part)
    table.pop(name, None)
    return tomlkit.dumps(document)


def _inner(table: MutableMapping[str, object], name: str) -> MutableMapping[str, object]:
    inner = table[name]
    if not isinstance(inner, MutableMapping):
        raise ValueError(f"{name} is no table")
    return inner
