-- name: schema
-- The whole index. It is made again, never migrated: a change here raises SCHEMA in storage/sqlite.py.

CREATE TABLE metadata(
    key TEXT PRIMARY KEY,
    value
) WITHOUT ROWID;

-- Streams, how far they were read, and how many events (`events`) and facts on sessions (`facts`) that gave.
CREATE TABLE streams(
    rank INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    root TEXT NOT NULL,
    key TEXT NOT NULL,
    generation INTEGER NOT NULL,
    form TEXT NOT NULL,
    identity TEXT NOT NULL,
    path TEXT NOT NULL,
    mtime INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    parser TEXT NOT NULL,
    signature TEXT,
    gone INTEGER NOT NULL DEFAULT 0,
    sealed INTEGER NOT NULL DEFAULT 0,
    events INTEGER NOT NULL DEFAULT 0,
    facts INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX streams_by_key ON streams(source, root, key, generation);

CREATE TABLE unread(
    stream INTEGER NOT NULL,
    reason TEXT NOT NULL,
    label TEXT NOT NULL,
    version TEXT NOT NULL,
    count INTEGER NOT NULL,
    first_line INTEGER NOT NULL,
    PRIMARY KEY(stream, reason, label, version)
) WITHOUT ROWID;

CREATE TABLE skipped(
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY(source, path, reason)
) WITHOUT ROWID;

-- Directories; a log names those that are used. `project` and what follows is what was seen of them.
CREATE TABLE directories(
    number INTEGER PRIMARY KEY,
    cwd TEXT NOT NULL UNIQUE,
    is_used INTEGER NOT NULL DEFAULT 0,
    project TEXT,
    name TEXT,
    owner TEXT
);

-- What the person decided about projects, copied from local state.
CREATE TABLE merged(project TEXT PRIMARY KEY, target TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE named(project TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;

-- `stores` has a bit for the weight of each store that a session was read in.
CREATE TABLE sessions(
    number INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT,
    prompt TEXT,
    started INTEGER,
    ended INTEGER,
    events INTEGER NOT NULL DEFAULT 0,
    directory INTEGER,
    parent TEXT,
    forked_from TEXT,
    hidden INTEGER NOT NULL DEFAULT 0,
    stores INTEGER NOT NULL DEFAULT 0,
    UNIQUE(source, id)
);
CREATE INDEX sessions_by_end ON sessions(ended);
CREATE INDEX sessions_by_id ON sessions(id);
CREATE INDEX sessions_by_directory ON sessions(directory);

-- Sessions whose derived columns are out of date.
CREATE TABLE touched(session INTEGER PRIMARY KEY);

-- What logs say of sessions as a whole, with where it was said: the first said wins.
CREATE TABLE claims(
    session INTEGER NOT NULL,
    what TEXT NOT NULL,
    value TEXT NOT NULL,
    stream INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    PRIMARY KEY(session, what)
) WITHOUT ROWID;
CREATE INDEX claims_by_value ON claims(what, value);

-- The best title said of a session, and of the session that holds a leaf.
CREATE TABLE titles(
    session INTEGER NOT NULL,
    leaf TEXT NOT NULL,
    title TEXT NOT NULL,
    weight INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY(session, leaf)
) WITHOUT ROWID;

-- Readings of an event in a session that does not own it.
CREATE TABLE copies(
    session INTEGER NOT NULL,
    event INTEGER NOT NULL,
    PRIMARY KEY(session, event)
) WITHOUT ROWID;

-- An event as its owning anchor (`stream`, `line`, `part`: the lowest) and its last version (`last_…`: the highest) say.
-- `shelf` is the full-text table that holds it and `pieces` in how many rows; `weight` that of its store; `twin` the
-- event that it repeats, or itself when it is left out for a better store that does not hold it. `hidden` is 1 for one
-- that is forgotten and 2 for one that is destroyed, the same for an event and its repeats. Messages on the shelf
-- `spoken` alone have what follows: `text_key` stands for their text in the cache of vectors, `speaker` is whom they
-- name as such, `tokens` counts their words by parts.
CREATE TABLE events(
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    line INTEGER NOT NULL,
    part INTEGER NOT NULL,
    last_stream INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    last_part INTEGER NOT NULL,
    time INTEGER NOT NULL,
    time_from TEXT NOT NULL,
    source TEXT NOT NULL,
    role TEXT NOT NULL,
    kind TEXT NOT NULL,
    own INTEGER NOT NULL,
    size INTEGER NOT NULL,
    shelf TEXT,
    pieces INTEGER NOT NULL,
    weight INTEGER NOT NULL,
    twin INTEGER,
    directory INTEGER,
    git_branch TEXT,
    agent_version TEXT,
    hidden INTEGER NOT NULL DEFAULT 0,
    text_key BLOB,
    speaker TEXT,
    tokens INTEGER NOT NULL
);
CREATE INDEX events_in_order ON events(session, stream, line, part);
CREATE INDEX events_by_time ON events(shelf, time) WHERE shelf IS NOT NULL;
CREATE INDEX events_by_twin ON events(twin) WHERE twin IS NOT NULL;
CREATE INDEX events_by_text ON events(text_key) WHERE text_key IS NOT NULL;
CREATE INDEX events_by_directory ON events(directory) WHERE text_key IS NOT NULL;
CREATE INDEX events_hidden ON events(session) WHERE hidden > 0;
CREATE INDEX events_of_memory ON events(time) WHERE kind = 'memory';
CREATE INDEX calls_of_own ON events(time) WHERE own AND kind = 'tool_use';

-- Keys of texts that something said and says no more: their vectors must go, unless something else says the same. They
-- go once one of them was hidden; those of texts that were written anew can wait for that.
CREATE TABLE unsaid(text_key BLOB PRIMARY KEY, is_hidden INTEGER NOT NULL) WITHOUT ROWID;
CREATE TRIGGER events_unsaid AFTER UPDATE OF text_key ON events
WHEN old.text_key IS NOT NULL AND old.text_key IS NOT new.text_key
BEGIN
    INSERT INTO unsaid(text_key, is_hidden) VALUES (old.text_key, new.hidden > 0)
    ON CONFLICT DO UPDATE SET is_hidden = max(is_hidden, excluded.is_hidden);
END;

-- Ids that events had by an older rule.
CREATE TABLE aliases(id TEXT PRIMARY KEY, event INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX aliases_by_event ON aliases(event);

-- Such ids where nothing is read in their place, or not now: the next rebuild looks again.
CREATE TABLE unanswered(
    id TEXT PRIMARY KEY,
    stream INTEGER NOT NULL,
    line INTEGER NOT NULL,
    part INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE texts(
    event INTEGER PRIMARY KEY,
    text TEXT NOT NULL
);

CREATE TABLE anchors(
    event INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    line INTEGER NOT NULL,
    part INTEGER NOT NULL,
    first_line INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    PRIMARY KEY(event, stream, line, part)
) WITHOUT ROWID;
CREATE INDEX anchors_by_place ON anchors(stream, line, first_line);

-- What streams took back: the kind of an event from a line on, and in all later lives of the file.
CREATE TABLE reclassified(
    event INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    line INTEGER NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY(event, stream)
) WITHOUT ROWID;

-- Full text: what person and model said, and tool traffic. `ascii` splits only where our tokens are split already.
-- `stems` has the stems of inflected words: recall counts them, search never looks there.
CREATE VIRTUAL TABLE spoken USING fts5(parts, joined, stems, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE tools USING fts5(parts, joined, content='', contentless_delete=1, tokenize='ascii');

-- Bytes that full text holds in memory before it writes: a transaction of ours becomes one segment.
INSERT INTO spoken(spoken, rank) VALUES ('hashsize', 8388608);
INSERT INTO tools(tools, rank) VALUES ('hashsize', 8388608);
