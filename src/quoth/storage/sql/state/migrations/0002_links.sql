-- What was written into other programs' files, so that it can be taken out to the byte.

CREATE TABLE links (
    path     BLOB NOT NULL,    -- as the system spells it
    position INTEGER NOT NULL, -- the order in which entries were written into one file
    host     TEXT NOT NULL,
    level    TEXT NOT NULL,
    name     TEXT NOT NULL,
    removed  TEXT,             -- with `inserted`: the change; both NULL when the entry was there before
    inserted TEXT,
    created  TEXT NOT NULL,    -- JSON: the paths that did not exist before, hex of their bytes
    PRIMARY KEY (path, position),
    UNIQUE (path, name),
    CHECK ((removed IS NULL) = (inserted IS NULL))
) STRICT, WITHOUT ROWID;
