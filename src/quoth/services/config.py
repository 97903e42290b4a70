"""Config: list, get, set and unset what `core.settings` knows, in the person's own `config.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import InvalidArgument, StoreFailed
from quoth.core.model import Json
from quoth.core.settings import FILE, Setting, Settings, option, parse_value, read_settings
from quoth.readers import toml_text
from quoth.services._private import write_whole

_SECRET = "(secret)"


@dataclass(frozen=True, slots=True)
class Config:
    """`path` is the file, which may be missing; `env` may say more than the file."""

    path: Path
    env: Mapping[str, str]

    def list(self) -> list[dict[str, Json]]:
        """Return every setting with its value, default, who says it, and what it is for.

        Raises:
            ConfigBroken: the file or a variable can't be used.
        """
        return [_shape(setting) for setting in self._settings(self._text()).by_key.values()]

    def get(self, key: str) -> dict[str, Json]:
        """Return one setting.

        Raises:
            InvalidArgument: there is no such key.
            ConfigBroken: the file or a variable can't be used.
        """
        return _shape(self._settings(self._text()).by_key[option(key).key])

    def set(self, key: str, text: str) -> dict[str, Json]:
        """Write a value into the file and return the setting; a variable may still say something else.

        Raises:
            InvalidArgument: there is no such key, it can't have this value, or it is secret: whoever lists the
                processes of a machine sees what a command is given.
            ConfigBroken: the file or a variable can't be used; the file is left as it is.
            StoreFailed: the file can't be written.
        """
        chosen = option(key)
        if chosen.is_secret:
            raise InvalidArgument(key, f"in the variable {chosen.variable}, or written into {FILE} by hand")
        value = parse_value(chosen, text)
        if value is None:
            raise InvalidArgument(key, chosen.expected)
        return self._write(key, toml_text.with_value(self._checked(), key, value))

    def unset(self, key: str) -> dict[str, Json]:
        """Take a value out of the file and return what the setting is now.

        Raises:
            InvalidArgument: there is no such key.
            ConfigBroken: the file or a variable can't be used; the file is left as it is.
            StoreFailed: the file can't be written.
        """
        return self._write(option(key).key, toml_text.without_value(self._checked(), key))

    def _write(self, key: str, text: str) -> dict[str, Json]:
        settings = self._settings(text)
        try:
            write_whole(self.path, text.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise StoreFailed(f"Writing {self.path}", error.strerror or "the system refused") from error
        return _shape(settings.by_key[key])

    def _checked(self) -> str:
        text = self._text()
        self._settings(text)
        return text

    def _settings(self, text: str) -> Settings:
        return read_settings(self.env, text, file=str(self.path))

    def _text(self) -> str:
        try:
            return self.path.read_bytes().decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise StoreFailed(f"Reading {self.path}", error.strerror or "the system refused") from error


def _shown(setting: Setting) -> Json:
    return _SECRET if setting.option.is_secret and setting.value else setting.value


def _shape(setting: Setting) -> dict[str, Json]:
    return {
        "key": setting.option.key,
        "value": _shown(setting),
        "default": setting.option.default,
        "said_by": setting.said_by,
        "variables": list(setting.option.variables),
        "about": setting.option.about,
    }
