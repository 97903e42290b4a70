-- One row for each operation, in the order of arrival; `number` is the cursor that readers keep. Rows never change.
CREATE TABLE operations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    device TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    step INTEGER NOT NULL,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    bound BLOB NOT NULL,
    commitment BLOB NOT NULL,
    previous BLOB NOT NULL,
    hash BLOB NOT NULL,
    UNIQUE (device, sequence)
) STRICT;

-- What operations say, with the salt of their commitment: the only rows that are ever deleted.
CREATE TABLE payloads (
    number INTEGER PRIMARY KEY REFERENCES operations,
    salt BLOB NOT NULL,
    data BLOB NOT NULL
) STRICT;

-- What operations are about, from what they bind: roots (ent_…), events, and operations that they wipe (op_…).
CREATE TABLE subjects (
    kind TEXT NOT NULL CHECK (kind IN ('entry', 'event', 'operation')),
    subject TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES operations,
    PRIMARY KEY (kind, subject, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX subjects_of ON subjects (number);

-- The latest hybrid time that this home has written or heard.
CREATE TABLE clock (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), ms INTEGER NOT NULL, step INTEGER NOT NULL) STRICT;

-- Present while bytes of a destroyed payload may still be in the file or its log.
CREATE TABLE unscrubbed (only_row INTEGER PRIMARY KEY CHECK (only_row = 1)) STRICT;
