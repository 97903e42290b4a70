-- name: schema_memory
-- What the ledger says: entries, and which events are hidden.

-- One version of an entry. `place` orders those of a root, the oldest first; `scope` is that of the root. `age` is the
-- order of roots among each other. Of what is destroyed only id, root, times and state are kept. What full text holds
-- has a `text_key`, by which its text is known in the cache of vectors; `tokens` counts its words by parts.
-- `seen_branch` was checked out where it was said, and only ranks; `branch` is that of the scope, and shuts out.
CREATE TABLE entries(
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    root TEXT NOT NULL,
    place INTEGER NOT NULL,
    age TEXT NOT NULL,
    state TEXT NOT NULL,
    is_current INTEGER NOT NULL,
    is_concurrent INTEGER NOT NULL,
    current TEXT,
    kind TEXT,
    type TEXT,
    name TEXT,
    created_at INTEGER NOT NULL,
    valid_from INTEGER,
    valid_to INTEGER,
    tenant TEXT NOT NULL,
    workspace TEXT NOT NULL,
    repository TEXT NOT NULL,
    branch TEXT NOT NULL,
    tier TEXT NOT NULL,
    agent TEXT,
    digest BLOB,
    is_cited INTEGER NOT NULL,
    data TEXT NOT NULL,
    is_indexed INTEGER NOT NULL,
    by_person INTEGER NOT NULL,
    importance REAL,
    seen_branch TEXT NOT NULL,
    text_key BLOB,
    tokens INTEGER NOT NULL,
    UNIQUE(root, place)
);
CREATE INDEX entries_by_id ON entries(id);
CREATE INDEX entries_by_tail ON entries(substr(id, -8));
CREATE INDEX entries_by_age ON entries(age, root, place);
CREATE INDEX entries_by_time ON entries(created_at) WHERE is_current;
CREATE INDEX entries_by_text ON entries(text_key) WHERE text_key IS NOT NULL;
CREATE TRIGGER entries_unsaid AFTER DELETE ON entries WHEN old.text_key IS NOT NULL
BEGIN
    INSERT INTO unsaid(text_key, is_hidden) VALUES (old.text_key, 1) ON CONFLICT DO UPDATE SET is_hidden = 1;
END;
CREATE INDEX entries_by_digest ON entries(digest);
CREATE INDEX entries_by_name ON entries(type, name) WHERE is_current;
CREATE INDEX entries_by_repository ON entries(workspace, repository) WHERE repository <> '';
CREATE INDEX entries_by_branch ON entries(branch) WHERE branch <> '';
CREATE INDEX entries_by_type ON entries(type, created_at) WHERE is_current;

-- Which events roots cite.
CREATE TABLE citations(root TEXT NOT NULL, event TEXT NOT NULL, PRIMARY KEY(root, event)) WITHOUT ROWID;
CREATE INDEX citations_by_event ON citations(event);

-- Edges, held by both of their roots; roots that are hidden, with versions or without.
CREATE TABLE relations(
    holder TEXT NOT NULL,
    relation TEXT NOT NULL,
    entry TEXT NOT NULL,
    root TEXT NOT NULL,
    other TEXT NOT NULL,
    other_root TEXT NOT NULL,
    PRIMARY KEY(holder, relation, entry, root, other, other_root)
) WITHOUT ROWID;
CREATE TABLE hidden_roots(root TEXT PRIMARY KEY) WITHOUT ROWID;

-- Events that are forgotten (1) or destroyed (2), also those that were not read yet.
CREATE TABLE hidden(id TEXT PRIMARY KEY, fate INTEGER NOT NULL) WITHOUT ROWID;

-- Ids that nothing answers to, with the place where another one may be read.
CREATE TABLE awaited(
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    root TEXT NOT NULL,
    key TEXT NOT NULL,
    generation INTEGER NOT NULL,
    line INTEGER NOT NULL,
    part INTEGER NOT NULL,
    sha256 BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX awaited_by_stream ON awaited(source, root, key, generation);

-- Events that the ledger names and that got or lost other ids since it was projected.
CREATE TABLE respelled(id TEXT PRIMARY KEY) WITHOUT ROWID;

-- Full text of entries. It keeps its content, so that a word that is taken out leaves the vocabulary at once.
CREATE VIRTUAL TABLE remembered USING fts5(parts, joined, stems, tokenize='ascii');
INSERT INTO remembered(remembered, rank) VALUES ('secure-delete', 1);
