"""`quoth config`: see and change settings."""

from __future__ import annotations

from collections.abc import Mapping

import click

from quoth.core.model import Json
from quoth.surfaces.cli.verb import Call, verb, verbs

COMMAND = verbs(
    section="Look after",
    help="See and change settings.\n\nThey are in `config.toml` of Quoth's folder; a QUOTH_* variable wins over it.",
    examples=["quoth config list", "quoth config set watch.interval_ms 30000", "quoth config unset watch.interval_ms"],
)


@verb(name="list", examples=["quoth config list"])
def list_(call: Call) -> None:
    """List every setting, with what it is for."""
    settings = call.kernel.config.list()
    if call.terminal.as_json:
        call.terminal.answer({"settings": settings})
        return
    for setting in settings:
        said = f"said by {setting['said_by']}" if setting["said_by"] else "default"
        call.terminal.say(f"{setting['key']} = {_value(setting)}  ({said})")
        call.terminal.say(f"  {setting['about']}")


@verb(name="get", examples=["quoth config get watch.interval_ms"])
@click.argument("key")
def get(call: Call, *, key: str) -> None:
    """Print the value of KEY."""
    _tell(call, call.kernel.config.get(key))


@verb(name="set", examples=["quoth config set watch.interval_ms 30000"])
@click.argument("key")
@click.argument("value")
def set_(call: Call, *, key: str, value: str) -> None:
    """Write VALUE of KEY into the file."""
    _tell(call, call.kernel.config.set(key, value))


@verb(name="unset", examples=["quoth config unset watch.interval_ms"])
@click.argument("key")
def unset(call: Call, *, key: str) -> None:
    """Take KEY out of the file and print what holds now."""
    _tell(call, call.kernel.config.unset(key))


def _tell(call: Call, setting: Mapping[str, Json]) -> None:
    if call.terminal.as_json:
        call.terminal.answer(setting)
    else:
        call.terminal.say(_value(setting))


def _value(setting: Mapping[str, Json]) -> str:
    value = setting["value"]
    return str(value).lower() if isinstance(value, bool) else str(value)


for _command in (list_, get, set_, unset):
    COMMAND.add_command(_command)
