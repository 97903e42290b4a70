"""Infer from the wording of a statement how sure it is, whether it denies or depends, and what kind of entry it is.

It is a pure function of the text, by rules and words that can be read (docs/decisions/0017-judgement-by-rules.md);
`because` names them. What says nothing else is a fact: actual and positive.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from quoth.core import _infer_types as types
from quoth.core import _infer_words as said
from quoth.core._forms import Form
from quoth.core._infer_orders import is_order, is_order_behind
from quoth.core.han import SIMPLIFIED, TRADITIONAL
from quoth.core.ledger.values import EntryKind, Epistemic, Polarity

_READ: Final = 4_000  # characters: how a statement is meant is said at its beginning
_SENTENCE: Final = Form(r"(?<=[.!?;])\s+|[。！？；\n]+|(?<=[\u3400-\u9fff])[!?;]")
_OR_ELSE: Final = {"otherwise", "иначе", "否则"}
_FOLD: Final = {**dict(zip(map(ord, TRADITIONAL), SIMPLIFIED, strict=True)), ord("ё"): "е", ord("’"): "'"}


@dataclass(frozen=True, slots=True)
class Inferred:
    """What a statement's wording says; `because` tells for each part which word or rule decided it."""

    epistemic: Epistemic
    polarity: Polarity
    kind: EntryKind
    type: str
    because: Mapping[str, str]


def infer(text: str) -> Inferred:
    sentences = _sentences(text)
    epistemic, why_epistemic = _epistemic(sentences)
    polarity, why_polarity = _polarity(sentences[0])
    type_, why_type = _type(sentences)
    because = {"epistemic": why_epistemic, "polarity": why_polarity, "kind": f"type {type_}", "type": why_type}
    return Inferred(epistemic, polarity, types.KINDS[type_], type_, because)


def _sentences(text: str) -> Sequence[str]:
    folded = normalize("NFKC", text[:_READ])[:_READ].lower().translate(_FOLD)
    parts = [part.strip(" \t\r\n-*•>#\"'") for part in _SENTENCE.split(folded)]
    return [part for part in parts if part] or [""]


def _first(pattern: Form, sentence: str, unless: Form | None = None) -> re.Match[str] | None:
    """Find a word that is not part of an expression which says something else."""
    if unless is not None:
        sentence = unless.sub(lambda found: " " * len(found.group()), sentence)
    return pattern.search(sentence)


def _epistemic(sentences: Sequence[str]) -> tuple[Epistemic, str]:
    """The first sentence that says how sure it is decides."""
    for sentence in sentences:
        guess = _first(said.GUESS, sentence, said.NO_GUESS)
        reason = said.REASON.search(sentence, 1)
        must = _first(said.MUST, sentence[: reason.start()] if reason else sentence, said.NO_MUST)
        if guess and not (must and must.start() < guess.start()):
            return Epistemic.POSSIBLE, guess.group()
        if must:
            return Epistemic.NECESSARY, must.group()
        if is_order(sentence) or (_condition(sentence) and is_order_behind(sentence)):
            return Epistemic.NECESSARY, "an order"
    return Epistemic.ACTUAL, "nothing says otherwise"


def _polarity(sentence: str) -> tuple[Polarity, str]:
    report = said.REPORT.match(sentence)
    if report and sentence[report.end() :].strip():
        sentence = sentence[report.end() :].strip()
    condition = _condition(sentence)
    if condition:
        return Polarity.CONDITIONAL, condition
    main = said.CONTRAST.sub("", sentence)
    if not said.PLACE_FIRST.match(main):
        main = said.CONTRAST_NEVER.sub("", main)
    reason = said.BECAUSE.search(main, 8)
    denial = _first(said.NO, main[: reason.start()] if reason else main, said.NO_NO)
    if denial and said.STATED.match(main[: denial.start()]):
        denial = None
    return (Polarity.NEGATIVE, denial.group()) if denial else (Polarity.POSITIVE, "nothing denies")


def _condition(sentence: str) -> str:
    """Return the words that make a sentence depend on something; "when" of something past does not."""
    found = _first(said.IF, sentence, said.NO_IF)
    if found is None:
        return ""
    if found.group() in _OR_ELSE and _first(said.MUST, sentence[: found.start()], said.NO_MUST):
        return ""  # what happens otherwise is no condition of what has to be
    if sentence[: found.start()].endswith(("only ", "только ")):
        return found.group()
    if _is_time(found.group()) and _past(sentence) and not _asks(sentence):
        return ""
    return found.group()


def _asks(sentence: str) -> bool:
    return _first(said.MUST, sentence, said.NO_MUST) is not None or is_order(sentence)


def _is_time(word: str) -> bool:
    return word in {"when", "once", "until", "whenever", "когда", "как только"} or word.endswith(("时", "时,", "时候"))


def _past(sentence: str) -> re.Match[str] | None:
    past = _first(said.PAST, sentence, said.NO_PAST)
    if (
        past
        and past.start() == 0
        and " " not in past.group()
        and re.search(r"\b(?:is|are|must|should|never|can)\b", sentence)
    ):
        return None  # "Merged branches are deleted"
    return past


def _type(sentences: Sequence[str]) -> tuple[str, str]:
    """The first sentence that says what it is decides; what says nothing is a fact."""
    for sentence in sentences:
        found = _type_of(sentence)
        if found:
            return found
    return "fact", "nothing says otherwise"


def _type_of(sentence: str) -> tuple[str, str] | None:
    explicit = [
        (found.start(), rank, name, found.group())
        for rank, (name, pattern) in enumerate(types.EXPLICIT)
        if (found := pattern.search(sentence))
    ]
    if explicit:
        _, _, name, word = min(explicit)
        return name, word
    return _of_order(sentence) or _of_past(sentence) or _of_fact(sentence)


def _of_order(sentence: str) -> tuple[str, str] | None:
    skill = types.SKILL.search(sentence)
    must = _first(said.MUST, sentence, said.NO_MUST)
    past = None if _condition(sentence) else _past(sentence)
    if past and (said.WHEN.search(sentence) or not must or past.start() < must.start()) and not is_order(sentence):
        return None
    if skill:
        return "skill", skill.group()
    if is_order(sentence) or (_condition(sentence) and is_order_behind(sentence)):
        return "rule", "an order"
    if must:
        return ("rule", must.group()) if _is_for_actor(sentence, must) else ("constraint", must.group())
    return None


def _is_for_actor(sentence: str, must: re.Match[str]) -> bool:
    before = sentence[: must.start()].rpartition(",")[2].strip(" ,:")
    if types.OF_THINGS.match(sentence, must.start()) and not types.ACTOR.search(before):
        return False
    if not before or types.TO_SOMEBODY.fullmatch(must.group()):
        return True
    return bool(types.ACTOR.search(before) or types.WORK.search(sentence))


def _of_past(sentence: str) -> tuple[str, str] | None:
    past = said.WHEN.search(sentence) or (None if _condition(sentence) else _past(sentence)) or _will(sentence)
    if past is None:
        return None
    for name, pattern in (("trajectory", types.TRAJECTORY), ("case", types.CASE)):
        if found := pattern.search(sentence):
            return name, found.group()
    return "event", past.group()


def _will(sentence: str) -> re.Match[str] | None:
    """Find what people will perhaps do; that they always do it is no event."""
    return said.WILL.search(sentence) if said.GUESS.search(sentence) else None


def _of_fact(sentence: str) -> tuple[str, str] | None:
    for name, pattern in (("experience", types.EXPERIENCE), ("tool", types.TOOL), ("entity", types.ENTITY)):
        if found := pattern.search(sentence):
            return name, found.group()
    person = None if _condition(sentence) else types.PERSON.match(sentence)
    return ("profile", person.group()) if person else None
