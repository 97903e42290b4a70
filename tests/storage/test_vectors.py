"""The cache of vectors: what is put stays and is found, what is forgotten is gone, whatever happens to the process."""

from __future__ import annotations

import struct
from contextlib import closing as closing_file
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numpy", reason="needs the extra `local`")

import numpy as np

from quoth.core.errors import StoreFailed
from quoth.core.vectors import Vectors, unit
from quoth.storage import _vector_wiping
from quoth.storage._vector_file import VectorFile
from storage.vectors import SIZE, cache, closing, key, named, slowly, vector, windows

__all__ = ["closing"]  # a fixture

NAMES = st.integers(0, 12)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.lists(NAMES, max_size=5)),
        st.tuples(st.just("forget"), st.lists(NAMES, max_size=4)),
        st.tuples(st.just("keep"), st.lists(NAMES, min_size=6, max_size=13)),
        st.tuples(st.just("reopen"), st.just([])),
    ),
    max_size=12,
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("caches")


def fresh(folders: Path) -> Path:
    return folders / str(len([*folders.iterdir()]))


@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
def test_a_cache_answers_what_comparing_with_everything_answers(
    folders: Path, steps: list[tuple[str, list[int]]]
) -> None:
    home = fresh(folders)
    one, other = cache(home), cache(home)
    held: dict[object, Vectors] = {}
    for verb, names in steps:
        match verb:
            case "put":
                given_vectors = [(key(name), windows(name, f"{name}b") if name % 3 else vector(name)) for name in names]
                assert one.put(given_vectors) == len({*names} - {*held})
                held.update({name: vectors for name, (_, vectors) in zip(names, given_vectors, strict=True)})
            case "forget":
                assert one.forget(map(key, names)) == len({*names} & {*held})
                held = {name: vectors for name, vectors in held.items() if name not in names}
            case "keep":
                assert one.keep({*map(key, names)}) == len({*held} - {*names})
                held = {name: vectors for name, vectors in held.items() if name in names}
            case _:
                one.close()
        expected = slowly({key(name): vectors for name, vectors in held.items()}, vector("asked"), limit=5)
        assert one.nearest(vector("asked"), limit=5) == other.nearest(vector("asked"), limit=5) == expected
        assert {*one.missing(map(key, range(13)))} == {key(name) for name in range(13) if name not in held}
    assert one.check() == []
    assert len(one) == sum(map(len, held.values()))


@settings(max_examples=25, deadline=None)
@given(names=st.lists(st.integers(0, 40), unique=True, min_size=1, max_size=30), data=st.data())
def test_the_order_of_putting_changes_no_answer(folders: Path, names: list[int], data: st.DataObject) -> None:
    first, second = cache(fresh(folders)), cache(fresh(folders))
    first.put(named(names))
    for name in data.draw(st.permutations(names)):
        second.put(named([name]))
    for question in ("a", "b", 7):
        assert first.nearest(vector(question), limit=9) == second.nearest(vector(question), limit=9)


def test_putting_twice_is_putting_once_and_the_first_vectors_stay(tmp_path: Path) -> None:
    one = cache(tmp_path)
    assert one.put([(key("a"), vector(1)), (key("a"), vector(2))]) == 1
    size = (tmp_path / "vectors-m.bin").stat().st_size
    assert one.put([(key("a"), vector(3))]) == 0
    assert one.nearest(vector(1), limit=2)[0].cosine > 0.999
    assert (len(one), (tmp_path / "vectors-m.bin").stat().st_size) == (1, size)


def test_a_text_that_says_nothing_is_never_held(tmp_path: Path) -> None:
    one = cache(tmp_path)
    assert one.put([(key("blank"), Vectors(SIZE, b""))]) == 0
    assert one.missing([key("blank")]) == [key("blank")]
    assert unit([0.0] * SIZE) is None


@pytest.mark.req("MMC-13")
@pytest.mark.parametrize(
    "numbers",
    [[0.0] * SIZE, [float("nan")] * SIZE, [float("inf"), *[0.0] * (SIZE - 1)], [2.0] * SIZE, [1e-9] * SIZE, [1.0, 0.0]],
)
def test_a_vector_that_says_nothing_is_refused_with_all_that_came_with_it(tmp_path: Path, numbers: list[float]) -> None:
    one = cache(tmp_path)
    bad = Vectors(len(numbers), struct.pack(f"<{len(numbers)}f", *numbers))
    with pytest.raises(ValueError, match="vector"):
        one.put([*named(["a", "b"]), (key("bad"), bad)])
    assert len(one) == 0
    assert one.put(named(["a"])) == 1


@pytest.mark.req("MMC-13")
def test_vectors_that_say_nothing_are_noticed_and_never_answered(tmp_path: Path) -> None:
    for number in (0.0, float("nan"), float("inf")):
        home = tmp_path / str(number)
        one = cache(home)
        one.put(named(["good"]))
        with closing_file(VectorFile(home / "vectors-m.bin", writing=True)) as file:  # a writer that does not look
            file.append([key("bad")], np.full((1, SIZE), number, np.float16))
        assert "damaged" in one.check()[0], home.name
        near = [*one.nearest(vector("good"), limit=9), *one.cosines(vector("good"), [key("bad")])]
        assert all(-1.2 < each.cosine < 1.2 for each in near), home.name


def test_a_text_is_found_by_the_best_of_its_windows(tmp_path: Path) -> None:
    one = cache(tmp_path)
    one.put([(key("long"), windows("intro", "middle", "end")), (key("short"), vector("other"))])
    for window in ("intro", "middle", "end"):
        best, *_ = one.nearest(vector(window), limit=2)
        assert best.key == key("long")
        assert best.cosine > (0.999 if window == "intro" else 0.899)
    assert len(one.nearest(vector("intro"), limit=9)) == 2


def test_only_the_texts_that_are_allowed_are_found(tmp_path: Path) -> None:
    one = cache(tmp_path)
    one.put(named(range(3000)))
    allowed = {key(name) for name in range(0, 3000, 100)} | {key("never put")}
    found = one.nearest(vector(5), limit=100, among=allowed)
    held = {key(name): vector(name) for name in range(0, 3000, 100)}
    assert found == slowly(held, vector(5), limit=100)
    assert one.nearest(vector(5), limit=9, among=frozenset()) == []
    assert {near.key for near in one.cosines(vector(5), allowed)} == {*held}


@pytest.mark.req("INV-5")
def test_what_is_forgotten_is_in_no_file_and_in_no_answer_of_another_process(tmp_path: Path) -> None:
    import numpy as np

    one, reader = cache(tmp_path), cache(tmp_path)
    one.put([*named(range(40)), (key("secret"), windows("s1", "s2"))])
    assert reader.nearest(vector("s1"), limit=1)[0].key == key("secret")
    traces = [
        key("secret"),
        *(np.frombuffer(part.data, "<f4").astype("<f2").tobytes() for part in windows("s1", "s2").cut()),
    ]
    assert all(any(trace in content for content in contents(tmp_path)) for trace in traces)
    assert one.forget([key("secret")]) == 1
    assert not any(trace in content for content in contents(tmp_path) for trace in traces)
    assert key("secret") not in {near.key for near in reader.nearest(vector("s1"), limit=50)}
    assert reader.missing([key("secret")]) == [key("secret")]
    assert len(reader) == 40


def contents(home: Path) -> list[bytes]:
    return [path.read_bytes() for path in home.rglob("*") if path.is_file()]


@pytest.mark.req("INV-5")
def test_forgetting_reaches_the_caches_of_all_models_and_removes_what_can_not_be_read(tmp_path: Path) -> None:
    for model, dimensions in (("m", 8), ("other-2", 100)):
        cache(tmp_path, model=model, dimensions=dimensions).put(named(["a", "b"], dimensions=dimensions))
    (tmp_path / "vectors-torn.bin").write_bytes(b"what was here once")
    (tmp_path / "vectors-m.bin").rename(tmp_path / "vectors-renamed.bin")
    cache(tmp_path).put(named(["a", "b"]))
    assert _vector_wiping.wipe(tmp_path, [key("a")]) == 2
    assert sorted(path.name for path in tmp_path.glob("vectors-*")) == ["vectors-m.bin", "vectors-other-2.bin"]
    assert not any(key("a") in content for content in contents(tmp_path))
    assert cache(tmp_path, model="other-2", dimensions=100).missing([key("b")]) == []


def test_without_numpy_the_caches_of_all_models_are_removed(tmp_path: Path) -> None:
    cache(tmp_path).put(named(["a"]))
    (tmp_path / ".write-vectors-m-x").write_bytes(b"begun by a process that was killed")
    assert _vector_wiping.remove(tmp_path) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["locks"]


def test_a_file_that_is_mostly_holes_becomes_small_again_and_readers_follow(tmp_path: Path) -> None:
    one, reader = cache(tmp_path), cache(tmp_path)
    one.put(named(range(3000)))
    assert len(reader) == 3000
    before = (tmp_path / "vectors-m.bin").stat().st_size
    one.keep({key(name) for name in range(20)})
    assert (tmp_path / "vectors-m.bin").stat().st_size < before / 2
    assert [near.key for near in reader.nearest(vector(7), limit=1)] == [key(7)]
    assert (len(reader), len(one)) == (20, 20)
    one.put(named(["later"]))
    assert reader.missing([key("later")]) == []


@pytest.mark.req("INV-1")
def test_vectors_of_two_models_are_never_mixed(tmp_path: Path) -> None:
    one, other = cache(tmp_path, model="one"), cache(tmp_path, model="other")
    one.put(named(["a"]))
    assert other.missing([key("a")]) == [key("a")]
    (tmp_path / "vectors-one.bin").rename(tmp_path / "vectors-other.bin")
    assert other.nearest(vector("a"), limit=3) == []
    assert "another version" in other.check()[0]
    other.put(named(["b"]))
    assert [near.key for near in other.nearest(vector("b"), limit=3)] == [key("b")]


def test_a_search_of_many_finds_nearly_all_that_comparing_with_everything_finds(tmp_path: Path) -> None:
    import numpy as np

    source = np.random.default_rng(4)
    middles = source.normal(size=(150, 384))
    rows = middles[source.integers(0, 150, 6000)] + source.normal(scale=0.7, size=(6000, 384))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype("<f4")
    one = cache(tmp_path, dimensions=384)
    one.put([(key(name), Vectors(384, row.tobytes())) for name, row in enumerate(rows)])
    right = 0
    for asked in rows[:50] + source.normal(scale=0.02, size=(50, 384)):
        best = {key(name) for name in np.argsort(-(rows @ asked))[:10].tolist()}
        found = one.nearest(Vectors(384, asked.astype("<f4").tobytes()), limit=10)
        right += len(best & {near.key for near in found})
    assert right >= 0.95 * 500


def test_texts_that_are_equally_near_are_found_by_key_however_many_they_are(tmp_path: Path) -> None:
    one = cache(tmp_path)
    one.put([(key(name), vector("same")) for name in range(3000)])
    found = one.nearest(vector("same"), limit=5)
    assert [near.key for near in found] == sorted(map(key, range(3000)))[:5]


def test_a_cache_that_can_not_be_written_says_so(tmp_path: Path) -> None:
    one = cache(tmp_path)
    (tmp_path / "vectors-m.bin").mkdir()
    with pytest.raises(StoreFailed, match="The cache of vectors"):
        one.put(named(["a"]))
