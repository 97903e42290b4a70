"""Inference: the bars of the labelled sentences, single rules of it, and its laws."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from quoth.core._infer_types import KINDS
from quoth.core.inference import infer
from quoth.core.ledger.values import EntryKind, Epistemic, Polarity

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))  # the bench, as `python -m bench` sees it

from bench.judgement import Sentence  # noqa: E402

from bench import judgement  # noqa: E402

SENTENCES, LEARNED = judgement.sentences(), judgement.sentences(learned=True)


def _wrong(rows: Sequence[Sentence]) -> list[str]:
    return [f"{row.text}: {row.inferred}, not {row.label}" for row in rows if not row.is_right]


@pytest.mark.req("SEC-7", "HMG-5")
@pytest.mark.parametrize("part", judgement.PARTS)
@pytest.mark.parametrize("spoken", judgement.LANGUAGES)
def test_each_part_meets_its_bar_in_each_language(part: str, spoken: str) -> None:
    rows = [row for row in SENTENCES if row.part == part and row.language == spoken]
    assert len(rows) >= 150
    assert 3 * len([row for row in rows if row.is_blind]) >= len(rows)
    assert judgement.share_right(rows) >= judgement.RIGHT, _wrong(rows)


# Of the third list, which came after the last change of the rules; the bar over all is SEC-7's .85 (above).
MET_UNSEEN = {"epistemic": 0.93, "polarity": 0.93, "kind": 0.8}


@pytest.mark.parametrize("part", judgement.PARTS)
@pytest.mark.parametrize("spoken", judgement.LANGUAGES)
def test_of_what_was_never_looked_at_no_less_is_right_than_the_decision_says(part: str, spoken: str) -> None:
    rows = [row for row in SENTENCES if row.is_unseen and row.part == part and row.language == spoken]
    assert judgement.share_right(rows) >= MET_UNSEEN[part], _wrong(rows)


@pytest.mark.parametrize("part", judgement.PARTS)
def test_nothing_is_unlearned(part: str) -> None:
    rows = [row for row in LEARNED if row.part == part]
    assert judgement.share_right(rows) >= 0.95, _wrong(rows)


@pytest.mark.req("HMG-5")
def test_what_a_choice_was_not_leaves_it_positive_and_actual() -> None:
    said = infer("The service uses PostgreSQL 16 with pgvector, not MongoDB, because we need transactions.")
    assert (said.epistemic, said.polarity) == (Epistemic.ACTUAL, Polarity.POSITIVE)


EPISTEMIC = {
    "The cache is probably stale": Epistemic.POSSIBLE,
    "The cache holds a thousand entries": Epistemic.ACTUAL,
    "The cache must hold a thousand entries": Epistemic.NECESSARY,
    "Never clear the cache by hand": Epistemic.NECESSARY,
    "缓存可能过期了": Epistemic.POSSIBLE,
    "缓存里有一千条": Epistemic.ACTUAL,
    "缓存必须有一千条": Epistemic.NECESSARY,
    "Кэш, вероятно, устарел": Epistemic.POSSIBLE,
    "В кэше тысяча записей": Epistemic.ACTUAL,
    "Кэш нельзя чистить вручную": Epistemic.NECESSARY,
}


@pytest.mark.req("HMG-5")
@pytest.mark.parametrize(("text", "epistemic"), EPISTEMIC.items())
def test_a_guess_is_possible_a_fact_actual_and_a_constraint_necessary(text: str, epistemic: Epistemic) -> None:
    assert infer(text).epistemic is epistemic


POLARITY = {
    "The service uses Redis": Polarity.POSITIVE,
    "We don't use Redis": Polarity.NEGATIVE,
    "If Redis is down, the service reads from disk": Polarity.CONDITIONAL,
    "我们不用 Redis": Polarity.NEGATIVE,
    "如果 Redis 挂了，服务就读磁盘": Polarity.CONDITIONAL,
    "Мы не используем Redis": Polarity.NEGATIVE,
    "Если Redis недоступен, сервис читает с диска": Polarity.CONDITIONAL,
    "We found the leak when we upgraded Redis": Polarity.POSITIVE,
    "Not only Redis but also the disk is full": Polarity.POSITIVE,
}


@pytest.mark.req("HMG-5")
@pytest.mark.parametrize(("text", "polarity"), POLARITY.items())
def test_a_denial_is_negative_and_a_condition_conditional(text: str, polarity: Polarity) -> None:
    assert infer(text).polarity is polarity


TYPES = {
    "We decided to drop Redis": "decision",
    "The login test was fixed by waiting for the redirect": "case",
    "Next steps: write the importer": "handoff",
    "The deploy went out on Monday": "event",
    "The service listens on port 8080": "fact",
    "The API must answer within 200 ms": "constraint",
    "Lesson: check the certificate first": "lesson",
    "Never deploy on Fridays": "rule",
    "The user prefers dark mode": "preference",
    "The user is a backend developer": "profile",
    "The agent is called Mira": "identity",
}


@pytest.mark.req("SEC-7")
@pytest.mark.parametrize(("text", "type_"), TYPES.items())
def test_the_type_is_told_by_the_words(text: str, type_: str) -> None:
    assert infer(text).type == type_


def test_each_type_is_of_the_kind_that_its_template_says() -> None:
    templates = (ROOT / "src" / "quoth" / "types").glob("*.yaml")
    assert {file.stem: EntryKind(yaml.safe_load(file.read_text("utf-8"))["kind"]) for file in templates} == KINDS


def test_every_part_says_which_word_decided_it() -> None:
    because = infer("If the build is red, you must never merge").because
    assert because == {"epistemic": "must", "polarity": "if", "kind": "type rule", "type": "must"}


_texts = st.lists(
    st.sampled_from([*(row.text for row in LEARNED), "not ", "если ", "不", "must ", ", ", ". ", "\ud800", "\x00", "ﷺ"])
    | st.text(max_size=12),
    max_size=6,
).map("".join)


@settings(deadline=None)
@given(_texts)
def test_any_text_is_judged_twice_alike(text: str) -> None:
    assert infer(text) == infer(text)


@settings(deadline=None)
@given(st.sampled_from([row.text for row in LEARNED]), st.sampled_from(["\n", "  ", "\t", "- ", "* "]))
def test_white_space_and_list_marks_around_a_statement_change_nothing(text: str, around: str) -> None:
    assert infer(f"{around}{text}\n") == infer(text)


SLOW = [
    "must ",
    "if the ",
    "not ",
    ", не ",
    "如果",
    "我们",
    "в а ",
    "a, ",
    "пользователь ",
    "把",
    ": ",
    "ﷺ",
    "never ",
    "step 1 ",
]


@pytest.mark.req("SEC-7")
def test_a_megabyte_in_one_line_takes_no_longer_than_its_beginning() -> None:
    code = (
        "import sys\nfrom quoth.core.inference import infer\n"
        "for line in sys.stdin:\n part = line.rstrip('\\n')\n infer(part * (1_000_000 // len(part)))\nprint('done')\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code],
        input="\n".join(SLOW),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert done.stdout == "done\n"
