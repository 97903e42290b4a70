"""`python -m bench.fit_scale`: fit how relevant a text is to a question, by meaning and words or by words alone.

Fitted on the choosing half of our own set (`bench/retrieval/data`), so that questions about nothing find nothing; what
is printed stands, rounded, in `core/ranking.py` and in `scale` of the local model. `--check` judges both halves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import click
import numpy as np
from numpy.typing import NDArray

from bench.retrieval import own
from bench.retrieval.sets import Doc, Half, Question
from quoth.core.candidates import Word
from quoth.core.relevance import asked, rarities, relevances, tally
from quoth.core.vectors import Use
from quoth.embedders.local import Local
from quoth.readers.stems import stem

Floats = NDArray[np.float64]

_TOP = 10
_NEAREST = 200  # as many as recall compares
_HOLD = 3.0  # against large weights: 254 questions say little
_WORDS, _ELSEWHERE = 0.15, 0.1  # in units of cosine: what the best text is chosen by
_CAUTION = 0.45  # less than fitted, so that one floor serves with vectors and without
_FLOORS = (0.2, 0.25, 0.3, 0.4, 0.5, 0.6)
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d")


@dataclass(frozen=True)
class Asked:
    """A question and its candidates: arrays have one number for each of them."""

    cosines: Floats
    words: Floats
    elsewhere: Floats
    answers: Floats
    gold: int
    unknown: float
    strange: float

    def best(self, scores: Floats) -> tuple[float, float]:
        """Return the best score, and the share of the gold among the first ten."""
        order = np.argsort(-scores, kind="stable")[:_TOP]
        return (float(scores[order[0]]), float(self.answers[order].sum()) / max(1, self.gold)) if len(order) else (0, 0)


@dataclass(frozen=True)
class Fit:
    """Weights of what speaks for the best text of a question and against it."""

    weights: Floats
    bias: float


@click.command()
@click.option("--check", is_flag=True, help="Tell how much is answered about nothing, and what that costs.")
def main(check: bool) -> None:
    """Fit relevance, or check it."""
    halves = read()
    meant = fitted([features(each) for each in halves[Half.CHOOSING]], halves[Half.CHOOSING])
    said = fitted([features_of_words(each) for each in halves[Half.CHOOSING]], halves[Half.CHOOSING])
    usual = float(np.mean([each.unknown for each in halves[Half.CHOOSING] if not each.words.max(initial=0) > 0.5]))
    click.echo(f"by meaning: cosine, unknown, strange: {meant.weights.round(2)}, {meant.bias:.2f}")
    click.echo(f"by words: root of words, strange: {said.weights.round(2)}, {said.bias:.2f}")
    click.echo(f"unknown, where few words are shared: {usual:.2f}")
    points = ((cosine, relevance(cosine, meant, usual)) for cosine in (-0.2, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8))
    click.echo("scale: " + ", ".join(f"({cosine}, {value:.2f})" for cosine, value in points))
    if check:
        for half, questions in halves.items():
            for name, fit, of in (("meaning", meant, features), ("words", said, features_of_words)):
                click.echo(f"{half}, by {name}: " + "; ".join(judged(questions, fit, of)))


def relevance(cosine: float, fit: Fit, unknown: float) -> float:
    """Return how relevant a text is that shares no word with the question."""
    return float(_bent(fit.weights[0] * cosine + fit.weights[1] * unknown + fit.bias - _CAUTION))


def features(each: Asked) -> tuple[float, ...]:
    best, _ = each.best(each.cosines + _WORDS * each.words - _ELSEWHERE * each.elsewhere)
    return best, each.unknown, each.strange


def features_of_words(each: Asked) -> tuple[float, ...]:
    best, _ = each.best(np.sqrt(each.words) - _ELSEWHERE * each.elsewhere)
    return best, each.strange


def judged(questions: Sequence[Asked], fit: Fit, of: Callable[[Asked], tuple[float, ...]]) -> Iterator[str]:
    """Yield, for each floor, how much is answered about nothing and how much recall is lost."""
    by_words = of is features_of_words
    bias = fit.bias if by_words else fit.bias - _CAUTION
    scores = _bent(np.array([of(each) for each in questions]) @ fit.weights + bias)
    found = np.array([_recall(each, by_words=by_words) for each in questions])
    answerable = np.array([each.gold > 0 for each in questions])
    for floor in _FLOORS:
        answered = float((scores[~answerable] >= floor).mean())
        falls = 1 - found[answerable & (scores >= floor)].sum() / found[answerable].sum()
        yield f"{floor}: {answered:.0%} answered, recall falls {falls:.1%}"


def _recall(each: Asked, *, by_words: bool) -> float:
    if by_words:
        return each.best(np.sqrt(each.words) - _ELSEWHERE * each.elsewhere)[1]
    return each.best(each.cosines + _WORDS * each.words - _ELSEWHERE * each.elsewhere)[1]


def fitted(rows: Sequence[tuple[float, ...]], questions: Sequence[Asked]) -> Fit:
    """Return the logistic regression of whether anything answers."""
    given = np.array(rows)
    mean, spread = given.mean(0), given.std(0) + 1e-9
    inputs = np.c_[(given - mean) / spread, np.ones(len(given))]
    wanted = np.array([float(each.gold > 0) for each in questions])
    hold = np.diag([*[_HOLD] * given.shape[1], 1e-6])
    found = np.zeros(inputs.shape[1])
    for _ in range(50):
        chances = _bent(inputs @ found)
        slope = inputs.T @ (wanted - chances) - hold @ found
        found += np.linalg.solve((inputs.T * (chances * (1 - chances))) @ inputs + hold, slope)
    weights = found[:-1] / spread
    return Fit(weights, float(found[-1] - weights @ mean))


def _bent(values: Floats | float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.asarray(values))))


# --- what is known of a question ---


def read() -> dict[Half, list[Asked]]:
    """Ask our own set."""
    (group,), divided = own.read().groups, own.read().halves()
    docs, questions = list(group.docs), list(group.questions)
    texts, vectors = [doc.shown for doc in docs], embedded([doc.shown for doc in docs], "passage")
    cosines = embedded([question.text for question in questions], "query") @ vectors.T
    halves: dict[Half, list[Asked]] = {half: [] for half in Half}
    for question, row in zip(questions, cosines, strict=True):
        halves[divided[question.id]].append(one(question, docs, texts, row))
    return halves


def embedded(texts: Sequence[str], use: Use) -> Floats:
    """Return the vector of the first window of each text."""
    found = Local().embed(texts, use=use)
    return np.array([next(iter(vectors)) for vectors in found])


def one(question: Question, docs: Sequence[Doc], texts: Sequence[str], cosines: Floats) -> Asked:
    wanted = asked(question.text, stem)
    tallies = [tally(wanted, text, stem) for text in texts]
    holds = np.array([any(each.counts) for each in tallies])
    near = np.isin(np.arange(len(docs)), np.argsort(-cosines, kind="stable")[:_NEAREST])
    kept = [int(place) for place in np.flatnonzero(holds | near)]
    hits = [tallies[place] for place in kept]
    rarity = rarities(wanted, hits)
    missed = [not any(hit.counts[place] for hit in hits) for place in range(len(wanted))]
    return Asked(
        cosines=cosines[kept],
        words=np.array(relevances(wanted, hits)),
        elsewhere=np.array([_is_elsewhere(docs[place], question) for place in kept], float),
        answers=np.array([docs[place].id in question.gold for place in kept], float),
        gold=len(question.gold),
        unknown=_unknown(wanted, rarity, missed),
        strange=float(
            any(
                word.is_name and gone and not _DAY.fullmatch(word.form)
                for word, gone in zip(wanted, missed, strict=True)
            )
        ),
    )


def _is_elsewhere(doc: Doc, question: Question) -> bool:
    return question.place is not None and doc.project not in {question.place, None}


def _unknown(wanted: Sequence[Word], rarity: Sequence[float], missed: Sequence[bool]) -> float:
    """Return which share of what a question says no candidate holds."""
    told = [0.0 if _DAY.fullmatch(word.form) else rare for word, rare in zip(wanted, rarity, strict=True)]
    gone = sum(rare for rare, is_missed in zip(told, missed, strict=True) if is_missed)
    return gone / sum(told) if sum(told) else 1.0


if __name__ == "__main__":
    main()
