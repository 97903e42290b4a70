"""Which embedder is used, and that its key is shown to nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoth.core.errors import ConfigBroken, InvalidArgument
from quoth.core.settings import read_settings
from quoth.embedders.jina import Jina
from quoth.embedders.openai import OpenAI
from quoth.wiring import Kernel

KEY = "sk-of-the-person"


def kernel(folder: Path, **env: str) -> Kernel:
    return Kernel({"HOME": str(folder), "QUOTH_HOME": str(folder / "quoth"), **env})


@pytest.mark.req("INV-9")
def test_no_service_is_used_that_was_not_set(tmp_path: Path) -> None:
    keyed = kernel(tmp_path, OPENAI_API_KEY=KEY, JINA_API_KEY=KEY)
    assert keyed.embedder_name in {"local", None}
    assert kernel(tmp_path, QUOTH_EMBEDDER="none", OPENAI_API_KEY=KEY).embedder is None


@pytest.mark.req("MMC-14")
def test_a_service_gets_its_key_from_its_own_variable(tmp_path: Path) -> None:
    jina = kernel(tmp_path, QUOTH_EMBEDDER="jina", JINA_API_KEY=KEY, OPENAI_API_KEY="another").embedder
    assert isinstance(jina, Jina)
    assert (jina.key, jina.url) == (KEY, "https://api.jina.ai/v1/embeddings")
    assert KEY not in repr(jina)


def test_the_key_of_a_service_goes_to_no_other_address(tmp_path: Path) -> None:
    env = {
        "QUOTH_EMBEDDER": "openai",
        "OPENAI_API_KEY": KEY,
        "QUOTH_EMBEDDER_URL": "http://127.0.0.1:11434/v1/embeddings",
    }
    local = kernel(tmp_path, **env).embedder
    assert isinstance(local, OpenAI)
    assert local.key is None
    said = kernel(tmp_path, **env, QUOTH_EMBEDDER_KEY="said", QUOTH_EMBEDDER_MODEL="nomic").embedder
    assert isinstance(said, OpenAI)
    assert (said.key, said.asked_model) == ("said", "nomic")


@pytest.mark.req("SEC-3")
def test_a_key_is_never_shown_and_never_taken_from_a_command_line(tmp_path: Path) -> None:
    made = kernel(tmp_path, QUOTH_EMBEDDER_KEY=KEY)
    assert KEY not in str(made.config.list()) + str(made.config.get("embedder.key"))
    assert made.config.get("embedder.key")["value"] == "(secret)"
    with pytest.raises(InvalidArgument) as caught:
        made.config.set("embedder.key", KEY)
    assert KEY not in str(caught.value)
    assert "QUOTH_EMBEDDER_KEY" in str(caught.value)
    assert KEY not in repr(made.settings.embedder)


def test_only_an_embedder_that_there_is_can_be_set() -> None:
    assert read_settings({"QUOTH_EMBEDDER": " none "}, "").embedder.use == "none"
    for env, text in (({"QUOTH_EMBEDDER": "magic"}, ""), ({}, '[embedder]\nuse = "magic"')):
        with pytest.raises(ConfigBroken, match="auto or none or local or openai or jina"):
            read_settings(env, text)
    assert not read_settings({"QUOTH_WORKER": "off"}, "").wants_worker
    assert read_settings({}, "[worker]\nidle_s = 5").idle_s == 5


def test_another_version_or_embedder_is_another_worker(tmp_path: Path) -> None:
    asked = [{}, {"QUOTH_EMBEDDER": "openai"}, {"QUOTH_EMBEDDER": "openai", "QUOTH_EMBEDDER_KEY": KEY}]
    assert len({kernel(tmp_path, **env).worker_identity for env in asked}) == 3
    off = {"QUOTH_WORKER": "off", "QUOTH_WORKER_IDLE_S": "5"}
    assert kernel(tmp_path, **off).worker_identity == kernel(tmp_path).worker_identity


def test_settings_that_can_not_be_read_leave_words(tmp_path: Path) -> None:
    broken = kernel(tmp_path, QUOTH_EMBEDDER="magic")
    assert broken.meaning.compare("x", nearest=1) is None
