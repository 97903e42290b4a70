"""Check the arguments of a tool against its JSON schema; what is wrong becomes a sentence that a model can act on.

Knows the few keywords that our tools use; `tests/mcp` refuses a tool whose schema says more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from quoth.core.model import Json

KEYWORDS = frozenset(
    [
        "type",
        "enum",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "items",
        "properties",
        "required",
        "additionalProperties",
        "default",
        "description",
        "title",
    ]
)

Schema: TypeAlias = "Mapping[str, Json]"


class WrongArguments(Exception):
    """Raised for arguments that a tool can't take; the message is for the model that sent them."""


class Arguments(dict[str, "Json"]):
    """Checked arguments by name, each as the type that the schema promised."""

    def text(self, name: str) -> str | None:
        value = self.get(name)
        return value if isinstance(value, str) else None

    def number(self, name: str) -> int:
        value = self[name]
        assert isinstance(value, int)
        return value

    def share(self, name: str) -> float | None:
        """Return a number that may have a fraction."""
        value = self.get(name)
        return float(value) if isinstance(value, int | float) else None

    def flag(self, name: str) -> bool:
        return self.get(name) is True

    def texts(self, name: str) -> Sequence[str]:
        return tuple(item for item in _values(self.get(name)) if isinstance(item, str))

    def numbers(self, name: str) -> Mapping[str, int]:
        """Return whole numbers by name.

        Raises:
            WrongArguments: one is something else.
        """
        value = self.get(name)
        held = value if isinstance(value, Mapping) else {}
        whole = {each: _value(number, {"type": "integer"}, path=f"{name}.{each}") for each, number in held.items()}
        return {each: number for each, number in whole.items() if isinstance(number, int)}

    def objects(self, name: str) -> Sequence[Mapping[str, Json]]:
        return tuple(item for item in _values(self.get(name)) if isinstance(item, Mapping))


def check(arguments: Mapping[str, Json], schema: Schema) -> Arguments:
    """Return the arguments with the schema's defaults; an optional one that is "" or null counts as absent.

    Raises:
        WrongArguments: one is unknown, missing, or not what the schema says.
    """
    return Arguments(_object(arguments, schema, path=""))


def _object(given: Mapping[str, Json], schema: Schema, *, path: str) -> dict[str, Json]:
    known, required = _properties(schema), _strings(schema.get("required"))
    if schema.get("additionalProperties") is False and (unknown := [name for name in given if name not in known]):
        raise WrongArguments(_unknown(path + unknown[0], known))
    taken = {name: value for name, value in given.items() if not _is_absent(name, value, known, required)}
    if missing := [name for name in required if name not in taken]:
        raise WrongArguments(f"`{path}{missing[0]}` must be given.")
    checked = {name: _value(value, known.get(name, {}), path=path + name) for name, value in taken.items()}
    return {**{name: each["default"] for name, each in known.items() if "default" in each}, **checked}


def _is_absent(name: str, value: Json, known: Mapping[str, Schema], required: Sequence[str]) -> bool:
    if value is None:
        return "null" not in _declared(known.get(name, {}))
    return value == "" and (name not in required or known[name].get("minLength") == 1)


def _value(value: Json, schema: Schema, *, path: str) -> Json:
    if "enum" in schema:
        allowed = _values(schema["enum"])
        if not any(value == each and type(value) is type(each) for each in allowed):
            raise WrongArguments(f"`{path}` must be one of {', '.join(map(str, allowed))}.")
        return value
    if isinstance(value, float) and value.is_integer() and "number" not in _types(schema):
        value = int(value)  # 5.0 is an integer in JSON
    if not any(_IS[name](value) for name in _types(schema)) or not _in_range(value, schema):
        raise WrongArguments(f"`{path}` must be {_expected(schema)}.")
    match value:
        case Mapping():
            return _object(value, schema, path=f"{path}.")
        case str():
            return value
        case Sequence():
            items = schema.get("items")
            each = items if isinstance(items, Mapping) else {}
            return [_value(item, each, path=f"{path}[{at}]") for at, item in enumerate(value)]
        case _:
            return value


_IS: Mapping[str, Callable[[Json], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "array": lambda value: isinstance(value, Sequence) and not isinstance(value, str),
    "object": lambda value: isinstance(value, Mapping),
    "null": lambda value: value is None,
}
_NAMES = {
    "string": "a text",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def _in_range(value: Json, schema: Schema) -> bool:
    match value:
        case bool() | None | Mapping():
            return True
        case int() | float():
            lowest, highest = schema.get("minimum"), schema.get("maximum")
        case str():
            value, lowest, highest = len(value), schema.get("minLength"), schema.get("maxLength")
        case _:
            value, lowest, highest = len(value), schema.get("minItems"), schema.get("maxItems")
    is_enough = not isinstance(lowest, int | float) or value >= lowest  # said so that NaN never is
    return is_enough and (not isinstance(highest, int | float) or value <= highest)


def _expected(schema: Schema) -> str:
    return " or ".join(_expected_type(name, schema) for name in _types(schema))


def _expected_type(name: str, schema: Schema) -> str:
    match name:
        case "integer" | "number":
            return _NAMES[name] + _between(schema.get("minimum"), schema.get("maximum"))
        case "string" if {"minLength", "maxLength"} & schema.keys():
            return f"a text with {_some('character', schema.get('minLength'), schema.get('maxLength'))}"
        case "array" if {"minItems", "maxItems"} & schema.keys():
            return f"a list with {_some('item', schema.get('minItems'), schema.get('maxItems'))}"
        case _:
            return _NAMES[name]


def _between(lowest: Json, highest: Json) -> str:
    if lowest is not None and highest is not None:
        return f" from {lowest} to {highest}"
    if lowest is not None:
        return f" at least {lowest}"
    return "" if highest is None else f" at most {highest}"


def _some(what: str, lowest: Json, highest: Json) -> str:
    number = _between(lowest, highest).strip().removeprefix("from ")
    return f"{number} {what}" if number.endswith(" 1") else f"{number} {what}s"


def _unknown(name: str, known: Mapping[str, Schema]) -> str:
    shown = name if name.isprintable() and len(name) <= 60 else ascii(name[:60])
    return f"Unknown argument `{shown}`. Known arguments: {', '.join(known) or 'none'}."


def _types(schema: Schema) -> Sequence[str]:
    """Return the types a value may have: all of them when the schema says none."""
    return _declared(schema) or tuple(_IS)


def _declared(schema: Schema) -> Sequence[str]:
    said = schema.get("type", ())
    return (said,) if isinstance(said, str) else _strings(said)


def _properties(schema: Schema) -> dict[str, Schema]:
    said = schema.get("properties")
    return {
        name: each for name, each in (said if isinstance(said, Mapping) else {}).items() if isinstance(each, Mapping)
    }


def _strings(said: Json) -> Sequence[str]:
    return tuple(each for each in _values(said) if isinstance(each, str))


def _values(said: Json) -> Sequence[Json]:
    return said if isinstance(said, Sequence) and not isinstance(said, str) else ()
