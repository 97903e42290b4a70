"""The cache of one model's vectors, in the home: who writes when, which rows a text has, and bad files.

Nothing else depends on it: a file that is damaged or of another version is begun anew.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from quoth.core.errors import Busy, StoreFailed
from quoth.core.vectors import KEY_BYTES, Near, TextKey, Vectors
from quoth.storage import _vector_scan
from quoth.storage._vector_file import NO_KEY, Foreign, Halves, VectorFile, are_sound, head

_NEW = "{} is damaged or of another version; the next text that is embedded begins a new one."
_BROKEN = "{} is damaged; remove it, and it is made again."
_NONE: NDArray[np.int64] = np.zeros(0, np.int64)
_WAIT = 30
_HOLES = 1024  # wiped rows that are carried along at least


class FileVectors:
    """A `VectorCache` in a file that many processes share. Nothing is made before something is put."""

    def __init__(self, home: Path, *, model: str, dimensions: int) -> None:
        self.model = model
        self._dimensions = dimensions
        self._path = home / f"vectors-{model}.bin"
        self._lock = home / "locks" / f"vectors-{model}.lock"
        self._begun = f".write-vectors-{model}-"
        self._threads = RLock()
        self._file: VectorFile | None = None
        self._rows: dict[TextKey, int] = {}  # the first row of each text
        self._lengths = _NONE  # by row: how many rows the text has that begins there
        self._live = _NONE  # rows that are not wiped
        self._known, self._wiped = 0, 0

    @classmethod
    def named(cls, path: Path) -> FileVectors:
        """Return the cache that a file is.

        Raises:
            Foreign: it is none, or has the name of another model.
        """
        file = VectorFile(path, writing=False)
        file.close()
        found = cls(path.parent, model=file.model, dimensions=file.layout.dimensions)
        if found._path != path:
            raise Foreign
        return found

    def __len__(self) -> int:
        with self._alone():
            self._look()
            return len(self._live)

    def missing(self, keys: Iterable[TextKey]) -> Sequence[TextKey]:
        with self._alone():
            self._look()
            return [key for key in dict.fromkeys(keys) if key not in self._rows]

    def put(self, embedded: Iterable[tuple[TextKey, Vectors]]) -> int:
        with self._alone():
            given = {key: vectors for key, vectors in reversed([*embedded]) if len(vectors)}
            if not given:
                return 0
            if not all(vectors.dimensions == self._dimensions for vectors in given.values()):
                raise ValueError("a vector of another size")
            halves = {key: self._halves(vectors) for key, vectors in given.items()}
            if not are_sound(np.concatenate([*halves.values()])):
                raise ValueError("a vector whose length is not one")
            with self._writing() as file:
                new = sorted(given.keys() - self._rows.keys())
                if new:
                    keys = [key for key in new for _ in range(len(halves[key]))]
                    file.append(keys, np.concatenate([halves[key] for key in new]))
                    self._look()
            return len(new)

    def nearest(self, asked: Vectors, *, limit: int, among: Collection[TextKey] | None = None) -> Sequence[Near]:
        with self._alone():
            file = self._look()
            if file is None or limit < 1:
                return []
            rows = self._live if among is None else self._of(among)
            return _vector_scan.nearest(file, self._asked(asked), rows, limit=limit)

    def cosines(self, asked: Vectors, keys: Collection[TextKey]) -> Sequence[Near]:
        with self._alone():
            file = self._look()
            return [*_vector_scan.best(file, self._asked(asked), self._of(keys))] if file else []

    def forget(self, keys: Iterable[TextKey]) -> int:
        with self._alone():
            return self._wipe(lambda: {key for key in keys if key in self._rows})

    def keep(self, keys: Collection[TextKey]) -> int:
        with self._alone():
            kept = set(keys)
            return self._wipe(lambda: self._rows.keys() - kept)

    def check(self) -> Sequence[str]:
        with self._alone():
            file = self._look()
            if file is None:
                return [_NEW.format(self._path.name)] if self._path.exists() else []
            return [_BROKEN.format(self._path.name)] if file.is_broken() else []

    def close(self) -> None:
        with self._alone():
            if self._file:
                self._file.close()
            self._file = None
            self._forget_rows()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one thread at a time in, and report what the system refuses in a sentence."""
        with self._threads:
            try:
                yield
            except OSError as error:
                raise StoreFailed("The cache of vectors", error.strerror or type(error).__name__) from error

    def _wipe(self, chosen: Callable[[], Collection[TextKey]]) -> int:
        if not self._path.exists():
            return 0
        with self._writing() as file:
            gone = chosen()
            if gone:
                file.wipe(self._of(gone).tolist())
                self._look()
                self._compact(file)
        return len(gone)

    def _look(self) -> VectorFile | None:
        """Return the file as it is now, with its rows known; None while there is none that can be used."""
        if self._file and not self._file.is_still():
            self.close()
        if self._file is None:
            with suppress(FileNotFoundError, Foreign):
                self._file = self._opened(writing=False)
        if self._file:
            self._learn(self._file)
        return self._file

    def _opened(self, *, writing: bool) -> VectorFile:
        file = VectorFile(self._path, writing=writing)
        if (file.model, file.layout.dimensions) != (self.model, self._dimensions):
            file.close()
            raise Foreign
        return file

    def _learn(self, file: VectorFile) -> None:
        """Learn the keys of rows that were added; of all when some were wiped."""
        count, wiped = file.count, file.wiped
        if wiped != self._wiped or count < self._known:
            self._forget_rows()
        if count > self._known:
            self._add(file.keys.reshape(-1, KEY_BYTES)[self._known : count])
        self._known, self._wiped = count, wiped

    def _add(self, keys: NDArray[np.uint8]) -> None:
        """Learn the keys of the rows behind the known ones; those of one text lie together, and came together."""
        changes = np.flatnonzero(np.any(keys[1:] != keys[:-1], axis=1)) + 1
        starts = np.concatenate([[0], changes])
        lengths = np.zeros(len(keys), np.int64)
        lengths[starts] = np.diff(np.append(starts, len(keys)))
        self._rows.update(zip(_cut(keys[starts].tobytes()), (self._known + starts).tolist(), strict=True))
        self._rows.pop(NO_KEY, None)
        self._lengths = np.concatenate([self._lengths, lengths])
        self._live = np.concatenate([self._live, self._known + np.flatnonzero(keys.any(axis=1))])

    def _forget_rows(self) -> None:
        self._rows = {}
        self._lengths = self._live = _NONE
        self._known = 0

    def _of(self, keys: Collection[TextKey]) -> NDArray[np.int64]:
        """Return the rows of some texts."""
        found = (self._rows.get(key) for key in set(keys))
        firsts = np.fromiter((row for row in found if row is not None), np.int64)
        lengths = self._lengths[firsts]
        ends = np.cumsum(lengths)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)
        rows: NDArray[np.int64] = np.repeat(firsts, lengths) + within
        return rows

    def _asked(self, vectors: Vectors) -> NDArray[np.float32]:
        return np.frombuffer(vectors.data, "<f4", self._dimensions)

    def _halves(self, vectors: Vectors) -> Halves:
        with np.errstate(over="ignore"):  # it is refused
            return np.frombuffer(vectors.data, "<f4").reshape(-1, self._dimensions).astype("<f2")

    @contextmanager
    def _writing(self) -> Iterator[VectorFile]:
        """Be the only one that writes, on a file that is whole."""
        self._lock.parent.mkdir(mode=0o700, exist_ok=True)
        try:
            with FileLock(self._lock, timeout=_WAIT, mode=0o600):
                for left in self._path.parent.glob(f"{self._begun}*"):  # by a process that was killed
                    left.unlink()
                file = self._made()
                try:
                    file.settle()
                    self._look()
                    yield file
                finally:
                    file.close()
        except Timeout as error:
            raise Busy("writing vectors") from error

    def _made(self) -> VectorFile:
        try:
            return self._opened(writing=True)
        except (FileNotFoundError, Foreign):
            self._replace(lambda path: path.write_bytes(head(self.model, self._dimensions)))
            return self._opened(writing=True)

    def _compact(self, file: VectorFile) -> None:
        """Write a smaller file once most rows are holes. Where a mapped file can't be replaced, it stays as it is."""
        if file.count - len(self._live) < max(_HOLES, len(self._live)):
            return
        keys = file.keys.reshape(-1, KEY_BYTES)[self._live]
        halves = file.halves.reshape(-1, self._dimensions)[self._live]

        def write(path: Path) -> None:
            path.write_bytes(head(self.model, self._dimensions))
            smaller = VectorFile(path, writing=True)
            smaller.append([bytes(key) for key in keys], halves)
            smaller.close()

        with suppress(PermissionError):
            self._replace(write)

    def _replace(self, write: Callable[[Path], object]) -> None:
        descriptor, name = tempfile.mkstemp(prefix=self._begun, dir=self._path.parent)
        os.close(descriptor)
        try:
            write(Path(name))
            os.replace(name, self._path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise


def _cut(data: bytes) -> Iterator[TextKey]:
    return (TextKey(data[at : at + KEY_BYTES]) for at in range(0, len(data), KEY_BYTES))
