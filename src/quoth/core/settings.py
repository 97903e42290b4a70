"""What a person can set, as data: `config.toml` in the home and `QUOTH_*` variables (DESIGN §12).

A variable wins over the file, the file over the default. A published contract's own variable is honoured as an alias.
A blank variable counts as unset.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from quoth.core.errors import ConfigBroken, InvalidArgument

Value: TypeAlias = bool | int | str

FILE = "config.toml"
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to set. `key` is its path in the file, `about` a sentence for the documentation.

    With `choices` it has one of these values; a secret one is shown to nobody.
    """

    key: str
    default: Value
    about: str
    aliases: tuple[str, ...] = ()
    lowest: int = 0
    highest: int = 2**53
    choices: tuple[str, ...] = ()
    is_secret: bool = False

    @property
    def variable(self) -> str:
        return f"QUOTH_{self.key.replace('.', '_').upper()}"

    @property
    def variables(self) -> tuple[str, ...]:
        return (self.variable, *self.aliases)

    @property
    def expected(self) -> str:
        match self.default:
            case bool():
                return "true or false"
            case int():
                return f"a whole number from {self.lowest} to {self.highest}"
            case str():
                return " or ".join(self.choices) or "a text"


OPTIONS = (
    Option(
        "watch.interval_ms",
        60_000,
        "Milliseconds between two looks at the logs while an agent is connected or `quoth sync --watch` runs; 0: once.",
        aliases=("ORIGIN_WATCH_INTERVAL_MS",),
        highest=_DAY_MS,
    ),
    Option(
        "tenant",
        "",
        "Whose memory this is, the outermost part of every scope; empty: the name of the system's user.",
    ),
    Option(
        "exports",
        "~/quoth-exports",
        "The folder where you put conversations that you exported (ChatGPT, Claude, Markdown); several as in `PATH`.",
    ),
    Option(
        "embedder.use",
        "auto",
        "What finds texts by their meaning. `auto`: the local model where it is installed. With `openai` (or any "
        "service that speaks its interface) or `jina` texts leave this machine.",
        aliases=("QUOTH_EMBEDDER",),
        choices=("auto", "none", "local", "openai", "jina"),
    ),
    Option("embedder.url", "", "The address of a service's embeddings; empty: its own, such as that of OpenAI."),
    Option("embedder.model", "", "The model that a service is asked for; empty: the one we know of it."),
    Option(
        "embedder.key",
        "",
        "The key of a service; empty: `OPENAI_API_KEY` or `JINA_API_KEY`, for the service's own address alone.",
        is_secret=True,
    ),
    Option(
        "worker.use",
        "auto",
        "The process that embeds texts and compares them with questions. `auto`: it is started when there is work.",
        aliases=("QUOTH_WORKER",),
        choices=("auto", "off"),
    ),
    Option(
        "worker.idle_s",
        600,
        "Seconds without a question or a new text after which the worker leaves.",
        lowest=1,
        highest=_DAY_MS // 1000,
    ),
)


@dataclass(frozen=True, slots=True)
class Setting:
    """An option with its value. `said_by` is the variable or file that says it, None for the default."""

    option: Option
    value: Value
    said_by: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """The embedder that is asked for; what is empty is not said."""

    use: str
    url: str
    model: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one home."""

    by_key: Mapping[str, Setting]

    @property
    def tenant(self) -> str:
        return str(self.by_key["tenant"].value).strip()

    @property
    def watch_interval_ms(self) -> int:
        return int(self.by_key["watch.interval_ms"].value)

    @property
    def embedder(self) -> Asked:
        use, url, model, key = (
            str(self.by_key[f"embedder.{name}"].value).strip() for name in ("use", "url", "model", "key")
        )
        return Asked(use, url, model, key)

    @property
    def wants_worker(self) -> bool:
        return self.by_key["worker.use"].value == "auto"

    @property
    def idle_s(self) -> int:
        return int(self.by_key["worker.idle_s"].value)


def home_of(env: Mapping[str, str], user_home: Path) -> Path:
    """Return the folder of the store: `QUOTH_HOME`, else `~/.quoth`."""
    said = env.get("QUOTH_HOME", "").strip()
    if said == "~" or said.startswith(("~/", "~\\")):
        return user_home / said[2:]
    return Path(said) if said else user_home / ".quoth"


def read_settings(env: Mapping[str, str], text: str, *, file: str = FILE) -> Settings:
    """Read the settings from the environment and the text of `config.toml`; `file` names the file in errors.

    Raises:
        ConfigBroken: the text is no TOML, has an unknown key or a value of the wrong kind; or a variable has.
    """
    written = _written(text, file)
    return Settings({option.key: _setting(option, written, env, file) for option in OPTIONS})


def option(key: str) -> Option:
    """Return the option of a key.

    Raises:
        InvalidArgument: there is none.
    """
    found = next((option for option in OPTIONS if option.key == key), None)
    if found is None:
        raise InvalidArgument("key", f"one of {_known()}")
    return found


def parse_value(option: Option, text: str) -> Value | None:
    """Return the value that a person or a variable wrote; None when it is none of this option."""
    match option.default:
        case bool():
            return {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower())
        case int():
            number = text.strip()
            is_number = number.isascii() and number.removeprefix("-").isdigit() and len(number) < 20
            return _allowed(option, int(number)) if is_number else None
        case str():
            return _allowed(option, text.strip() if option.choices else text)


def _allowed(option: Option, value: object) -> Value | None:
    """Return a value that this option can have, as the file holds it; None for any other."""
    if type(value) is not type(option.default):
        return None
    if isinstance(value, int) and not isinstance(value, bool) and not option.lowest <= value <= option.highest:
        return None
    if option.choices and value not in option.choices:
        return None
    return value if isinstance(value, Value) else None


def _setting(option: Option, written: Mapping[str, object], env: Mapping[str, str], file: str) -> Setting:
    for variable in option.variables:
        if text := env.get(variable, "").strip():
            value = parse_value(option, text)
            if value is None:
                raise ConfigBroken(f"The variable {variable}", f"it must be {option.expected}")
            return Setting(option, value, variable)
    if option.key not in written:
        return Setting(option, option.default)
    value = _allowed(option, written[option.key])
    if value is None:
        raise ConfigBroken(f"{file}, key {option.key},", f"it must be {option.expected}")
    return Setting(option, value, file)


def _written(text: str, file: str) -> Mapping[str, object]:
    """Return what the file says, by key; every key must be known."""
    try:
        tables = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigBroken(file, f"it is no valid TOML ({error})") from error
    written = dict(_leaves(tables))
    if unknown := sorted(written.keys() - {option.key for option in OPTIONS}):
        key = unknown[0] if unknown[0].isprintable() else ascii(unknown[0])
        raise ConfigBroken(f"{file}, key {key},", f"there is no such key; the keys are {_known()}")
    return written


def _leaves(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, dict) and any(option.key.startswith(f"{prefix}{name}.") for option in OPTIONS):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _known() -> str:
    return ", ".join(option.key for option in OPTIONS)
