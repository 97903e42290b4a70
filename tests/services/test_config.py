"""Settings: a variable before the file before the default, and the person's own file is kept as they wrote it."""

from __future__ import annotations

import stat
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.errors import ConfigBroken, InvalidArgument
from quoth.core.settings import OPTIONS, home_of, read_settings
from quoth.services.config import Config

KEY = "watch.interval_ms"


def _interval(text: str = "", **env: str) -> int:
    return read_settings(env, text).watch_interval_ms


def test_a_variable_counts_before_the_file_and_the_file_before_the_default() -> None:
    text = "[watch]\ninterval_ms = 5\n"
    assert _interval() == 60_000
    assert _interval(text) == 5
    assert _interval(text, ORIGIN_WATCH_INTERVAL_MS="7") == 7
    assert _interval(text, ORIGIN_WATCH_INTERVAL_MS="7", QUOTH_WATCH_INTERVAL_MS=" 0 ") == 0
    assert _interval(text, QUOTH_WATCH_INTERVAL_MS=" ") == 5


def test_a_byte_order_mark_and_a_dotted_key_are_read() -> None:
    assert _interval("\ufeffwatch.interval_ms = 5") == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# fine\nwatch =\n", "line 2"),
        ("[watch", "no valid TOML"),
        ("[watch]\ninterval_ms = '5'", "key watch.interval_ms"),
        ("[watch]\ninterval_ms = true", "a whole number from 0"),
        ("[watch]\ninterval_ms = -1", "a whole number from 0"),
        ("[watch]\ninterval = 1", "key watch.interval,"),
        ("watch = 3", "key watch,"),
        ("[hub]\ntoken = 'qth_secret'", "the keys are watch.interval_ms"),
        ('"a\\u001bb" = 1', "a\\x1bb"),
        ("a = " + "[" * 5_000, "TOML"),
    ],
)
def test_a_broken_file_is_refused_with_file_place_and_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(ConfigBroken) as refused:
        read_settings({}, text, file="/home/ada/.quoth/config.toml")
    message = str(refused.value)
    assert message.startswith("/home/ada/.quoth/config.toml")
    assert said in message
    assert "secret" not in message
    assert message.isprintable()


@pytest.mark.parametrize("value", ["soon", "1.5", "-1", "999999999999999999999", "0x10", "٣"])
def test_a_variable_of_the_wrong_kind_is_named(value: str) -> None:
    with pytest.raises(ConfigBroken, match="ORIGIN_WATCH_INTERVAL_MS"):
        _interval(ORIGIN_WATCH_INTERVAL_MS=value)


@given(st.text(max_size=60))
def test_any_text_gives_settings_or_a_sentence(text: str) -> None:
    with suppress(ConfigBroken):
        assert read_settings({}, text).watch_interval_ms >= 0


def test_the_home_is_where_the_variable_says() -> None:
    person = Path("/home/ada")
    said = [home_of(env, person) for env in ({}, {"QUOTH_HOME": " "}, {"QUOTH_HOME": "/data/q"}, {"QUOTH_HOME": "~/q"})]
    assert said == [person / ".quoth", person / ".quoth", Path("/data/q"), person / "q"]


def test_every_option_says_what_it_is_for_and_has_a_default_it_allows() -> None:
    for option in OPTIONS:
        assert option.about.endswith(".")
        assert read_settings({option.variable: str(option.default)}, "").by_key[option.key].value == option.default


# --- the service ------------------------------------------------------------------------------------------------------


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(tmp_path / "config.toml", {})


MINE = "# mine\r\n\n[watch] # how often\n# why: slow disk\ninterval_ms =   9 # ms\n"


def test_setting_a_value_keeps_the_persons_comments(config: Config) -> None:
    config.path.write_bytes(MINE.encode())
    assert config.set(KEY, "12")["value"] == 12
    assert config.path.read_bytes().decode() == MINE.replace("9 #", "12 #")


def test_unsetting_keeps_the_table_and_its_comments(config: Config) -> None:
    config.path.write_bytes(MINE.encode())
    assert config.unset(KEY)["value"] == 60_000
    assert config.path.read_bytes().decode() == "# mine\r\n\n[watch] # how often\n# why: slow disk\n"
    assert config.unset(KEY)["said_by"] is None


@pytest.mark.req("SEC-1")
def test_a_new_file_is_private_and_what_was_set_is_read(config: Config) -> None:
    config.set(KEY, "3000")
    assert stat.S_IMODE(config.path.stat().st_mode) == 0o600
    assert config.get(KEY)["value"] == 3000
    assert config.get(KEY)["said_by"] == str(config.path)
    assert [entry.name for entry in config.path.parent.iterdir()] == ["config.toml"]


def test_a_file_that_is_a_link_is_written_where_it_points(config: Config, tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    config.path.symlink_to(tmp_path / "dotfiles/quoth.toml")
    config.set(KEY, "3000")
    assert config.path.is_symlink()
    assert "3000" in (tmp_path / "dotfiles/quoth.toml").read_text()


def test_a_variable_that_says_otherwise_is_shown(tmp_path: Path) -> None:
    config = Config(tmp_path / "config.toml", {"QUOTH_WATCH_INTERVAL_MS": "1"})
    assert config.set(KEY, "2") == config.list()[0]
    assert (config.get(KEY)["value"], config.get(KEY)["said_by"]) == (1, "QUOTH_WATCH_INTERVAL_MS")


@pytest.mark.parametrize(("key", "value"), [("watch.interval", "1"), (KEY, "often"), (KEY, "-1"), ("", "")])
def test_an_unknown_key_or_a_wrong_value_changes_nothing(config: Config, key: str, value: str) -> None:
    config.path.write_bytes(MINE.encode())
    with pytest.raises(InvalidArgument):
        config.set(key, value)
    assert config.path.read_bytes() == MINE.encode()


@pytest.mark.parametrize("content", [b"[watch", b"other = 1", b"\xff\xfe = 1"])
def test_a_broken_file_is_never_written_over(config: Config, content: bytes) -> None:
    config.path.write_bytes(content)
    for change in (lambda: config.set(KEY, "1"), lambda: config.unset(KEY), config.list, lambda: config.get(KEY)):
        with pytest.raises(ConfigBroken):
            change()
    assert config.path.read_bytes() == content
