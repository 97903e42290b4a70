"""The retrieval bench: its metrics by hand, its halves, our own set, and a run from the texts to the bars."""

from __future__ import annotations

import gzip
import json
import math
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bench.retrieval import library, own, public
from bench.retrieval.figures import chosen_cut, cuts, figures, own_cut
from bench.retrieval.metrics import hit_at, interval, is_newer_first, mean, ndcg_at, recall_at
from bench.retrieval.own import CATEGORIES, DATA, NOTHING
from bench.retrieval.plot import plot
from bench.retrieval.rows import BARS, rows
from bench.retrieval.sets import Doc, Group, Half, Question, Set
from bench.retrieval.table import table
from bench.retrieval.trial import Answer, Trial, contenders, run

ROOT = Path(__file__).parents[2]
GOLD = frozenset({"a", "b"})

# --- metrics ---


def test_recall_is_the_share_of_the_gold_and_hit_is_any_of_it() -> None:
    ranked = ["x", "a", "y", "b"]
    assert [recall_at(ranked, GOLD, k) for k in (1, 2, 4)] == [0.0, 0.5, 1.0]
    assert [hit_at(ranked, GOLD, k) for k in (1, 2, 4)] == [0.0, 1.0, 1.0]
    assert recall_at([], GOLD, 10) == 0.0


def test_ndcg_is_what_the_places_gain_over_the_best_places() -> None:
    assert ndcg_at(["a", "b", "x"], GOLD, 10) == 1.0
    gained = 1 / math.log2(3) + 1 / math.log2(5)  # the second and the fourth place
    assert ndcg_at(["x", "a", "y", "b"], GOLD, 10) == pytest.approx(gained / (1 + 1 / math.log2(3)))
    assert ndcg_at(["x", "a"], GOLD, 1) == 0.0


def test_more_gold_than_places_can_still_be_perfect() -> None:
    assert ndcg_at(["a"], GOLD, 1) == 1.0


def test_the_newer_must_be_found_and_stand_before_everything_older() -> None:
    older = frozenset({"o"})
    assert is_newer_first(["x", "a", "o"], GOLD, older)
    assert is_newer_first(["x", "a"], GOLD, older)
    assert not is_newer_first(["o", "a"], GOLD, older)
    assert not is_newer_first(["x"], GOLD, older)


def test_an_interval_holds_the_mean_narrows_with_more_values_and_is_the_same_again() -> None:
    few, many = [0.0, 1.0] * 20, [0.0, 1.0] * 500
    low, high = interval(few)
    assert low < mean(few) < high
    assert interval(few) == (low, high)
    assert interval(many)[1] - interval(many)[0] < (high - low) / 3
    assert interval([0.5] * 9) == (0.5, 0.5)


# --- halves ---


def _questions(names: Sequence[str]) -> list[Question]:
    return [Question(id=name, text=f"What is {name}?", gold=frozenset({"d"}), category="c") for name in names]


def _set(names: Sequence[str], conversations: int = 1) -> Set:
    asked = _questions(names)
    docs = [Doc(id="d", text="It is so.")]
    return Set("s", [Group(f"g{n}", docs, asked[n::conversations]) for n in range(conversations)])


def test_a_question_stays_in_its_half_whatever_else_is_asked() -> None:
    names = [f"q{n}" for n in range(400)]
    all_, some = _set(names).halves(), _set(names[::-3]).halves()
    assert some.items() <= all_.items()
    assert 150 < Counter(all_.values())[Half.REPORTING] < 250


def test_the_halves_are_the_same_on_every_machine_and_in_every_process() -> None:
    halves = _set([f"q{n}" for n in range(8)]).halves()
    assert [half.value[0] for half in halves.values()] == ["c", "r", "r", "c", "r", "r", "c", "r"]


def test_of_many_conversations_each_is_in_one_half_as_a_whole() -> None:
    asked = _set([f"q{n}" for n in range(60)], conversations=12)
    halves = asked.halves()
    sides = [{halves[question.id] for question in group.questions} for group in asked.groups]
    assert all(len(side) == 1 for side in sides)
    assert set.union(*sides) == set(Half)


def test_the_same_question_in_two_languages_is_in_one_half() -> None:
    halves = _set(["en/q1", "zh/q1", "ru/q1", "en/q2", "zh/q2", "ru/q2"]).halves()
    assert len({halves[f"{language}/q1"] for language in ("en", "zh", "ru")}) == 1


def test_a_part_of_a_set_keeps_every_text_of_the_questions_it_has() -> None:
    part = own.read().part(20)
    assert len(part.questions) == 20
    assert len(part.groups[0].docs) == len(own.read().groups[0].docs)
    assert [question.id for question in own.read().part(20).questions] == [question.id for question in part.questions]


# --- our own set ---

OWN = own.read()
ASKED = [question for question in OWN.questions if question.category != NOTHING]
UNANSWERED = [question for question in OWN.questions if question.category == NOTHING]


def test_nothing_is_wrong_with_our_own_set() -> None:
    assert list(own.problems(OWN)) == []


@pytest.mark.req("PER-10")
def test_our_own_set_has_two_hundred_questions_and_as_many_about_nothing_in_three_languages() -> None:
    assert len(ASKED) >= 200
    assert len(UNANSWERED) >= 200
    for questions in (ASKED, UNANSWERED):
        assert min(Counter(own.language(each.text) for each in questions).values()) >= 40
    assert {each.category for each in ASKED} == CATEGORIES
    assert not {each.text for each in ASKED} & {each.text for each in UNANSWERED}


def test_both_halves_of_our_own_set_have_every_category() -> None:
    halves = OWN.halves()
    for half in Half:
        there = Counter(each.category for each in OWN.questions if halves[each.id] is half)
        assert min(there.values()) >= 3
        assert there.keys() == {*CATEGORIES, NOTHING}


def test_the_readme_counts_what_is_there() -> None:
    (group,) = OWN.groups
    turns = [doc for doc in group.docs if doc.is_turn]
    counted = {
        "turns": len(turns),
        "sessions": len({doc.session for doc in turns}),
        "statements": len(group.docs) - len(turns),
        "corrected": sum(doc.replaces is not None for doc in group.docs),
        "questions": len(ASKED),
        "nothing": len(UNANSWERED),
    }
    said = re.search(
        r"(?P<turns>\d+) turns in (?P<sessions>\d+) sessions.*?"
        r"(?P<statements>\d+) statements, (?P<corrected>\d+) of them correct.*?"
        r"(?P<questions>\d+) questions with.*?(?P<nothing>\d+) questions of the same kind",
        (DATA / "README.md").read_text("utf-8"),
        re.DOTALL,
    )
    assert said is not None
    assert {name: int(number) for name, number in said.groupdict().items()} == counted


def test_a_gold_that_is_not_there_is_a_problem() -> None:
    (group,) = OWN.groups
    lost = replace(ASKED[0], gold=frozenset({"nowhere"}))
    claimed = replace(UNANSWERED[0], gold=frozenset({group.docs[0].id}))
    wrong = Set("own", [Group("all", group.docs, [lost, claimed, ASKED[1], ASKED[1]])])
    found = "\n".join(own.problems(wrong))
    assert "nowhere is not there" in found
    assert "it is about nothing" in found
    assert f"Asked twice: {ASKED[1].text}" in found


# --- trials ---


def _small(*questions: Question) -> Set:
    texts = {
        "s1.1": "The export hangs at 80 percent when the disk is full.",
        "s1.2": "I free the disk and the export goes on.",
        "e1": "The dev server is on port 8400.",
        "e2": "Сборка идёт через zig cc.",
    }
    docs = [
        Doc(id=id_, text=text, session="s1", speaker="user" if id_ == "s1.1" else "assistant")
        if id_.startswith("s")
        else Doc(id=id_, text=text, kind="fact", project="shop")
        for id_, text in texts.items()
    ]
    return Set("small", [Group("all", docs, list(questions))])


def _ask(text: str, *gold: str) -> Question:
    return Question(id=text, text=text, gold=frozenset(gold), category="exact" if gold else NOTHING)


PORT = _ask("dev server port", "e1")
HANGS = _ask("export hangs", "s1.1")


@pytest.mark.parametrize("name", contenders(models=False))
def test_every_contender_finds_a_turn_and_a_statement_by_their_words(name: str) -> None:
    tried = run(_small(PORT, HANGS, _ask("zebra crossing")), name)
    found = {answer.question.id: answer for answer in tried.answers}
    assert found[PORT.id].ranked[0] == "e1"
    assert found[HANGS.id].ranked[0] == "s1.1"
    assert found["zebra crossing"].ranked == ()
    assert all(list(answer.scores) == sorted(answer.scores, reverse=True) for answer in tried.answers)


@pytest.mark.parametrize("name", contenders(models=False))
def test_what_a_contender_finds_does_not_depend_on_the_order_of_the_texts(name: str) -> None:
    asked = _small(PORT, HANGS)
    backwards = own.shuffled(asked)
    ours, theirs = run(asked, name), run(backwards, name)
    assert [answer.ranked for answer in ours.answers] == [answer.ranked for answer in theirs.answers]


WITH_MODEL = [name for name in contenders(models=True) if name not in contenders(models=False)]


@pytest.mark.skipif(not WITH_MODEL, reason="the model is not installed")
def test_contenders_with_a_model_find_what_shares_no_word_with_the_question() -> None:
    for name in WITH_MODEL:
        tried = run(_small(_ask("开发服务器在哪个端口？", "e1")), name)
        assert tried.answers[0].ranked[0] == "e1", name


def test_a_corrected_statement_is_one_entry_with_two_versions() -> None:
    docs = [
        Doc(id="old", text="Releases are on Thursday.", kind="fact", time="2026-01-01"),
        Doc(id="new", text="Releases are on Tuesday.", kind="fact", time="2026-02-01", replaces="old"),
    ]
    asked = replace(_ask("releases", "new"), older=frozenset({"old"}))
    tried = run(Set("s", [Group("all", docs, [asked])]), "quoth")
    assert [answer.ranked for answer in tried.answers] == [("new",)]


# --- cut-offs ---


def _tried(given: Sequence[tuple[float | None, bool, Half]]) -> Trial:
    """Make a trial of the best score of each question, whether something answers it, and its half."""
    answers = []
    for number, (score, is_answerable, half) in enumerate(given):
        question = _ask(f"q{number}", *(["d"] if is_answerable else []))
        found = (("d",), (score,)) if score is not None else ((), ())
        answers.append(Answer(question, half, *found, ms=1.0))
    return Trial("own", "words", answers, 0.1, 1 << 20)


CHOOSING, REPORTING = Half.CHOOSING, Half.REPORTING


def test_a_cut_off_is_chosen_on_one_half_and_judged_on_the_other() -> None:
    nothing = [(score / 10, False, CHOOSING) for score in range(10)]  # one in ten may be answered: that of 0.9
    reporting = [(0.85, False, REPORTING), (None, False, REPORTING), (0.95, True, REPORTING), (0.2, True, REPORTING)]
    cut = chosen_cut(_tried([*nothing, *reporting]))
    assert 0.8 < cut.floor < 0.81
    assert cut.answered == 0.5
    assert cut.recall == 1.0
    assert cut.fall == 0.5


def test_a_line_of_ones_own_is_judged_as_it_is_and_hides_its_cost_where_nothing_is_shown_below() -> None:
    tried = _tried([(0.1, False, REPORTING), (0.3, True, REPORTING), (0.1, True, REPORTING), (0.9, False, CHOOSING)])
    assert own_cut(tried, 0.2, hides=False).fall == 0.5
    assert own_cut(tried, 0.2, hides=True).fall is None


def test_a_line_is_chosen_only_where_there_is_enough_to_choose_and_to_judge_it() -> None:
    of_each = [(0.1, False, CHOOSING), (0.1, False, REPORTING)]
    many = _tried([*of_each * 10, (0.3, True, REPORTING)])
    assert [cut.is_own for cut in cuts(many, floor=0.2, hides=True)] == [True]
    assert [cut.is_own for cut in cuts(many, floor=0.2, hides=False)] == [True, False]
    assert list(cuts(_tried(of_each * 9), floor=0.2, hides=False)) == []


# --- the report ---


def _reported(name: str, set_: str, found: int, of: int = 100) -> object:
    given = [(1.0 if number < found else None, True, REPORTING) for number in range(of)]
    return figures(replace(_tried(given), set=set_, contender=name), REPORTING)


@pytest.mark.req("PER-7", "PER-8", "PER-9", "PER-10")
def test_every_bar_is_judged_and_missed_where_nothing_of_ours_took_part() -> None:
    reported = [_reported("quoth", set_, 93) for set_ in dict.fromkeys(bar.set for bar in BARS)]
    cut = own_cut(
        replace(_tried([(None, False, REPORTING), (1.0, True, REPORTING)]), contender="quoth"), 0.2, hides=False
    )
    judged = [row for row in rows([each for each in reported if each], [cut]) if row.ok is not None]
    assert {row.id for row in judged} == {"PER-7", "PER-8", "PER-9", "PER-10"}
    assert all(row.ok == ("without a model" in row.work or row.id == "PER-10") for row in judged)


def test_a_bar_is_missed_by_a_hair() -> None:
    judged = [
        row.ok for found in (69, 70) for row in rows([_reported("quoth", "locomo", found)], []) if ".70" in row.bar
    ]
    assert judged == [False, True]


@pytest.mark.req("PER-10")
def test_keeping_silent_is_judged_together_with_what_it_costs() -> None:
    answered = _tried([(0.9, False, REPORTING), (0.9, True, REPORTING)])
    dear = _tried([(None, False, REPORTING), (0.1, True, REPORTING), (0.9, True, REPORTING)])
    for tried, hides in ((answered, False), (dear, False), (dear, True)):
        cut = own_cut(replace(tried, contender="quoth"), 0.2, hides=hides)
        assert [row.ok for row in rows([], [cut]) if row.ok is not None] == [False]


def test_the_tables_and_the_picture_show_every_contender() -> None:
    reported = [_reported("bm25", "locomo", 50), _reported("quoth", "locomo", 71), _reported("bm25", "own", 40)]
    shown = table(reported, [own_cut(_tried([(0.1, False, REPORTING), (0.9, True, REPORTING)]), 0.2, hides=False)])
    assert "| locomo | 0.500 | **0.710** |" in shown
    assert "| own | **0.400** |  |" in shown
    assert "| words | own | 0.20, its own | 0.0% of 1 | 1.000 | 0.0% |" in shown
    drawn = ElementTree.fromstring(plot(reported))
    assert len(drawn.findall(".//{*}circle")) == 3
    assert len([line for line in drawn.iter() if line.get("class") == "bar"]) == 2


# --- public sets ---


def _write(folder: Path, name: str, texts: Sequence[dict[str, object]], asked: Sequence[dict[str, object]]) -> None:
    for file, listed in (("corpus", texts), ("queries", asked)):
        path = folder / name / f"{file}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        with gzip.open(path, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps({"conversation": "all", **one}) + "\n" for one in listed)


def _pool(folder: Path) -> None:
    for language, said, question in (
        ("en", "The cat sleeps.", "Who sleeps?"),
        ("zh", "猫在睡觉。", "谁在睡觉？"),
        ("ru", "Кошка спит.", "Кто спит?"),
    ):
        asked = {"id": "q1", "text": question, "gold": ["p0s0"], "category": language}
        _write(folder, f"xquad-r-{language}", [{"id": "p0s0", "text": said, "session": "p0"}], [asked])


def test_a_pool_of_languages_has_its_answers_in_the_others(tmp_path: Path) -> None:
    _pool(tmp_path)
    (group,) = library.read(tmp_path, public.POOLED).groups
    assert [doc.id for doc in group.docs] == ["en/p0s0", "zh/p0s0", "ru/p0s0"]
    assert {each.id: each.gold for each in group.questions} == {
        "en/q1": {"zh/p0s0", "ru/p0s0"},
        "zh/q1": {"en/p0s0", "ru/p0s0"},
        "ru/q1": {"en/p0s0", "zh/p0s0"},
    }


def test_questions_that_are_wrong_on_purpose_are_left_out_and_named_speakers_are_shown(tmp_path: Path) -> None:
    turn = {"id": "D1:1", "text": "I paint.", "session": "S1", "speaker": "Ada", "time": "2023-05-08T13:56:00"}
    asked = [
        {"id": f"q{n}", "text": "Who paints?", "gold": ["D1:1"], "category": c}
        for n, c in enumerate(("a", "adversarial"))
    ]
    _write(tmp_path, "locomo", [turn], asked)
    (group,) = library.read(tmp_path, "locomo").groups
    assert [question.category for question in group.questions] == ["a"]
    assert (group.docs[0].shown, group.docs[0].is_turn) == ("Ada: I paint.", True)


def test_a_smoke_set_is_not_asked(tmp_path: Path) -> None:
    _pool(tmp_path)
    _write(tmp_path, "some-smoke4", [], [])
    assert library.names(tmp_path) == ["own", "xquad-r-en", "xquad-r-ru", "xquad-r-zh", "xquad-r-pooled"]


@pytest.mark.req("PER-9", "PER-10")
def test_the_command_reads_a_folder_and_writes_report_tables_and_picture(tmp_path: Path) -> None:
    _pool(tmp_path)
    report, page, picture = (tmp_path / name for name in ("report.json", "tables.md", "recall.svg"))
    command = [sys.executable, "-m", "bench.retrieval", "--data", tmp_path, "--most", "120"]
    only = [part for name in ("own", "xquad-r-pooled") for part in ("--set", name)]
    contending = [part for name in ("bm25", "quoth") for part in ("--contender", name)]
    files = ["--json", report, "--table", page, "--plot", picture]
    done = subprocess.run([*command, *only, *contending, *files], cwd=ROOT, check=True, capture_output=True, text=True)
    written = json.loads(report.read_text("utf-8"))
    assert {(each["set"], each["contender"]) for each in written["results"]} >= {("own", "bm25"), ("own", "quoth")}
    assert {each["half"] for each in written["results"]} == {"all", "choosing", "reporting"}
    assert {row["id"] for row in written["rows"] if row["ok"] is not None} >= {"PER-10"}
    assert "quoth, questions about nothing" in done.stdout
    assert "own" in page.read_text("utf-8")
    assert ElementTree.fromstring(picture.read_text("utf-8")).tag.endswith("svg")


def test_a_set_that_is_not_there_is_refused_with_those_that_are() -> None:
    command = [sys.executable, "-m", "bench.retrieval", "--set", "locomo"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "locomo is not there; sets: own" in done.stderr
