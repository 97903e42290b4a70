"""Tokens as the model was trained with them, and nothing else."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from quoth.embedders.local import EMBEDDER

if TYPE_CHECKING:
    from quoth.embedders._unigram import Unigram


@cache
def vocabulary() -> Unigram:
    if not EMBEDDER().is_installed():
        pytest.skip("needs the extra `local`")
    from quoth.embedders import _files, _weights
    from quoth.embedders._unigram import Unigram

    path = _files.installed()
    assert path
    weights = _weights.parsed(_files.mapped(path))
    return Unigram(weights.pieces, weights.scores)


# As the tokenizer of the model's authors cuts them, without the marks of beginning and end.
KNOWN: dict[str, list[int]] = {
    "Hello world": [35378, 8999],
    "Error E1042 means the license file has expired": [
        212059,
        241,
        963,
        13023,
        26950,
        70,
        86872,
        11435,
        1556,
        14700,
        14,
        2822,
    ],
    "src/quoth/core/vectors.py:42: getUserName() != snake_case_name": [
        91,
        19437,
        64,
        41502,
        127,
        64,
        30854,
        64,
        35259,
        22230,
        5,
        6493,
        33529,
        12,
        2046,
        1062,
        2189,
        163612,
        132,
        16,
        711,
        1369,
        16854,
        350,
        454,
        58437,
        454,
        11627,
    ],
    "数据库的端口是五四三三。": [6, 143054, 43, 12752, 3524, 354, 5137, 4121, 1971, 1971, 30],
    "Резервная копия начинается в 02:30": [231668, 2233, 15229, 1114, 164360, 49, 4648, 12, 1197],
    "日本語とEnglishが混ざる": [6, 98449, 610, 135832, 281, 29979, 61573, 2075],
    "한국어 문장도 자른다": [193751, 27940, 3013, 1048, 8511, 201610],
    "ภาษาไทย": [6, 175832],
    "مرحبا بالعالم": [665, 193478, 258, 1705, 77796],
    "emoji 🎉 and ꧁ unknown": [28, 121505, 6, 243816, 136, 6, 3, 51, 69723, 19],
}


@pytest.mark.parametrize("text", KNOWN)
def test_texts_are_cut_as_the_authors_of_the_model_cut_them(text: str) -> None:
    assert vocabulary().tokens(text, most=100) == KNOWN[text]


@pytest.mark.parametrize("text", ["<s>", "</s>", "<pad>", "<unk>", "<mask>", "a</s>b"])
def test_no_text_spells_a_control_token(text: str) -> None:
    tokens = vocabulary().tokens(text, most=100)
    assert not {0, 1, 2, 250001} & {*tokens}


def test_unknown_characters_side_by_side_are_one_token() -> None:
    assert vocabulary().tokens("\U0010fffd" * 50, most=100).count(3) == 1


def test_no_more_tokens_are_made_than_asked_for() -> None:
    assert len(vocabulary().tokens("数据库" * 6000, most=250)) == 250
    assert len(vocabulary().tokens("a b " * 5000, most=250)) == 250
