-- What the person decided on this device.

CREATE TABLE exclusions (
    kind  TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

-- At most one row; `until` is NULL when no end was said.
CREATE TABLE pause (
    only  INTEGER PRIMARY KEY CHECK (only = 1),
    until INTEGER
) STRICT;

-- Always flat: no `target` is itself merged.
CREATE TABLE project_merges (
    merged TEXT PRIMARY KEY,
    target TEXT NOT NULL CHECK (target <> merged)
) STRICT, WITHOUT ROWID;

CREATE TABLE project_names (
    project TEXT PRIMARY KEY,
    name    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
