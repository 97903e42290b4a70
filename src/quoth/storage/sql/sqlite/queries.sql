-- name: write_schema
-- Say which schema the file has.
INSERT INTO metadata(key, value) VALUES ('schema', :schema)

-- name: read_schema
-- Read which schema the file has.
SELECT value FROM metadata WHERE key = 'schema'

-- name: set_metadata
-- Remember a fact about the index as a whole.
INSERT INTO metadata(key, value) VALUES (:key, :value) ON CONFLICT(key) DO UPDATE SET value = excluded.value

-- name: metadata
-- Read a fact about the index as a whole.
SELECT value FROM metadata WHERE key = :key

-- name: quick_check
-- Look for damage; full text checks itself too.
PRAGMA quick_check(10)

-- name: lines_of_stream
-- How many lines of a stream were read.
SELECT lines FROM streams WHERE rank = :rank

-- name: put_stream
-- Record a stream and how far it was read; an older batch read again takes nothing back.
INSERT INTO streams(rank, source, root, key, generation, form, identity, path, mtime, lines, offset, parser, signature)
VALUES (:rank, :source, :root, :key, :generation, :form, :identity, :path, :mtime, :lines, :offset, :parser, :signature)
ON CONFLICT(rank) DO UPDATE SET
    path = excluded.path,
    lines = excluded.lines,
    offset = excluded.offset,
    parser = excluded.parser,
    signature = excluded.signature
WHERE (excluded.lines, excluded.offset) >= (lines, offset)

-- name: add_to_stream
-- Count what a stream gave.
UPDATE streams SET events = events + :events, facts = max(facts, :facts) WHERE rank = :rank

-- name: streams
-- All streams with how far they were read.
SELECT rank, source, root, key, generation, form, identity, path, mtime, lines, offset, parser, signature, gone,
    sealed
FROM streams
WHERE :source IS NULL OR source = :source
ORDER BY rank

-- name: whole_files
-- The streams of files that are replaced as a whole and named like this.
SELECT rank, source, root, key, generation, form, identity, path, mtime, lines, offset, parser, signature, gone,
    sealed
FROM streams
WHERE form = 'file' AND substr(key, -length(:suffix)) = :suffix
ORDER BY rank

-- name: some_streams
-- Some streams, with how far they were read.
SELECT rank, source, root, key, generation, form, identity, path, mtime, lines, offset, parser, signature, gone,
    sealed
FROM streams
WHERE rank IN (SELECT value FROM json_each(:ranks))
ORDER BY rank

-- name: set_gone
-- Mark the streams of some sources that are no longer on disk.
UPDATE streams SET gone = rank IN (SELECT value FROM json_each(:ranks))
WHERE source IN (SELECT value FROM json_each(:sources)) AND gone <> (rank IN (SELECT value FROM json_each(:ranks)))

-- name: set_sealed
-- Note up to which byte the mirror sealed a stream.
UPDATE streams SET sealed = ? WHERE rank = ?

-- name: add_unread
-- Count records that gave no event.
INSERT INTO unread(stream, reason, label, version, count, first_line) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET count = count + excluded.count, first_line = min(first_line, excluded.first_line)

-- name: forget_skipped
-- Forget what the last pass over a source skipped.
DELETE FROM skipped WHERE source = :source

-- name: add_skipped
-- Remember something that a pass skipped.
INSERT OR IGNORE INTO skipped(source, path, reason) VALUES (?, ?, ?)

-- name: skipped
-- What the last pass over each source skipped.
SELECT source, path, reason FROM skipped ORDER BY source, path, reason

-- name: session_number
-- The number of a session, which may be new.
INSERT INTO sessions(source, id) VALUES (:source, :id) ON CONFLICT(source, id) DO UPDATE SET id = id RETURNING number

-- name: directory_number
-- The number of a directory that a log names, which may be new.
INSERT INTO directories(cwd, is_used) VALUES (:cwd, 1) ON CONFLICT(cwd) DO UPDATE SET is_used = 1 RETURNING number

-- name: last_event
-- The highest number of an event.
SELECT number FROM events ORDER BY number DESC LIMIT 1

-- name: events_of_ids
-- What is stored of events, with the keys of their lowest and highest reading.
SELECT number, id, session, stream, line, part, last_stream, last_line, last_part, kind, shelf, pieces, twin, hidden
FROM events
WHERE id IN (SELECT value FROM json_each(:ids))

-- name: read_in
-- Which of these events were read in a stream.
SELECT DISTINCT event FROM anchors WHERE event IN (SELECT value FROM json_each(:numbers)) AND stream = :stream

-- name: reclassify
-- Note what a stream took back.
INSERT INTO reclassified(event, stream, line, kind) VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET line = excluded.line, kind = excluded.kind WHERE excluded.line > line

-- name: reclassified
-- What was taken back of events, once for each life of the file, the earliest life first.
SELECT r.event, r.kind, r.stream, r.line, other.rank
FROM reclassified r
JOIN streams own ON own.rank = r.stream
JOIN streams other ON other.source = own.source AND other.root = own.root AND other.key = own.key
WHERE r.event IN (SELECT value FROM json_each(:numbers))
ORDER BY r.stream

-- name: add_event
-- A new event.
INSERT INTO events(
    id, session, stream, line, part, time, time_from, directory, git_branch, agent_version, number,
    last_stream, last_line, last_part, role, kind, own, size, shelf, pieces, text_key, speaker, tokens, weight, source, hidden
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: add_text
-- The text of a new event.
INSERT INTO texts(event, text) VALUES (?, ?)

-- name: move_event
-- A lower reading of an event: it says where the event belongs.
UPDATE events SET
    session = ?, stream = ?, line = ?, part = ?, time = ?, time_from = ?, directory = ?, git_branch = ?, agent_version = ?
WHERE number = ?

-- name: set_last
-- A higher reading of an event: it says what the event holds.
UPDATE events SET last_stream = ?, last_line = ?, last_part = ? WHERE number = ?

-- name: set_content
-- Another content of an event.
UPDATE events SET
    role = ?, kind = ?, own = ?, size = ?, shelf = ?, pieces = ?, text_key = ?, speaker = ?, tokens = ?
WHERE number = ?

-- name: set_text
-- Another text of an event.
UPDATE texts SET text = ? WHERE event = ?

-- name: versions_of
-- The content of events.
SELECT e.number, e.role, e.kind, e.own, t.text
FROM events e JOIN texts t ON t.event = e.number
WHERE e.number IN (SELECT value FROM json_each(:numbers))

-- name: add_anchor
-- Where an event was read; once.
INSERT OR IGNORE INTO anchors(event, stream, line, part, first_line, sha256) VALUES (?, ?, ?, ?, ?, ?)

-- name: add_copy
-- A reading of an event in a session that does not own it.
INSERT OR IGNORE INTO copies(session, event) VALUES (?, ?)

-- name: shelve_spoken
-- Index a spoken message, or a piece of it.
INSERT INTO spoken(rowid, parts, joined, stems) VALUES (?, ?, ?, ?)

-- name: shelve_tools
-- Index tool traffic, or a piece of it.
INSERT INTO tools(rowid, parts, joined) VALUES (?, ?, ?)

-- name: unshelve
-- Take an event, or a piece of it, out of full text.
DELETE FROM {shelf} WHERE rowid = ?

-- name: other_lives
-- Whether a stream is one of several lives of its file.
SELECT 1
FROM streams a JOIN streams b ON b.source = a.source AND b.root = a.root AND b.key = a.key AND b.rank <> a.rank
WHERE a.rank = :rank
LIMIT 1

-- name: read_in_other_lives
-- Whether one of these events was read in a file that has several lives.
SELECT 1
FROM anchors x
JOIN streams a ON a.rank = x.stream
JOIN streams b ON b.source = a.source AND b.root = a.root AND b.key = a.key AND b.rank <> a.rank
WHERE x.event IN (SELECT value FROM json_each(:numbers))
LIMIT 1

-- name: contents_of
-- What events say and in which session, as twins are compared; nobody knows any more what destroyed ones said.
SELECT e.session, e.role, e.kind, t.text
FROM events e JOIN texts t ON t.event = e.number
WHERE e.number IN (SELECT value FROM json_each(:numbers)) AND e.hidden < 2

-- name: events_of_sizes
-- The events of a session that may say the same as others.
SELECT
    e.number, e.role, e.kind, t.text, e.own, e.stream, e.line, e.part, e.twin, e.shelf, e.pieces, e.weight, e.hidden
FROM events e JOIN texts t ON t.event = e.number
WHERE e.session = :session AND e.size IN (SELECT value FROM json_each(:sizes)) AND e.hidden < 2

-- name: stores_of
-- The stores that sessions were read in.
SELECT number, stores FROM sessions WHERE number IN (SELECT value FROM json_each(:sessions))

-- name: set_stores
-- Note the stores that a session was read in.
UPDATE sessions SET stores = ? WHERE number = ?

-- name: traffic_of
-- What a session holds beside messages, as twins are compared.
SELECT e.session, e.role, e.kind, t.text
FROM events e JOIN texts t ON t.event = e.number
WHERE e.session = :session AND e.kind <> 'message' AND e.hidden < 2

-- name: lives_of
-- The lives of files that events were read in.
SELECT DISTINCT a.event, s.source, s.root, s.key, s.generation
FROM anchors a JOIN streams s ON s.rank = a.stream
WHERE a.event IN (SELECT value FROM json_each(:numbers))

-- name: set_twin
-- Say which event this one repeats.
UPDATE events SET twin = ? WHERE number = ?

-- name: set_shelf
-- Note where in full text an event is.
UPDATE events SET shelf = ?, pieces = ?, text_key = ?, speaker = ?, tokens = ? WHERE number = ?

-- name: claim
-- What a log says of a session as a whole; the first said wins.
INSERT INTO claims(session, what, value, stream, lines, nth) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET value = excluded.value, stream = excluded.stream, lines = excluded.lines, nth = excluded.nth
WHERE (excluded.stream, excluded.lines, excluded.nth) < (stream, lines, nth)

-- name: add_title
-- A title said of a session; the highest weight wins, then the latest.
INSERT INTO titles(session, leaf, title, weight, stream, line) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET
    title = excluded.title, weight = excluded.weight, stream = excluded.stream, line = excluded.line
WHERE (excluded.weight, excluded.stream, excluded.line) >= (weight, stream, line)

-- name: touch
-- Mark a session whose derived columns are out of date.
INSERT OR IGNORE INTO touched(session) VALUES (?)

-- name: touch_leaf
-- Mark the session that holds the leaf of a title.
INSERT OR IGNORE INTO touched(session) SELECT session FROM events WHERE id = ?

-- name: is_touched
-- Whether any session is out of date.
SELECT 1 FROM touched LIMIT 1

-- name: touch_titled
-- Mark the sessions that lose a title to the session that holds its leaf.
INSERT OR IGNORE INTO touched(session)
SELECT t.session
FROM titles t JOIN events e ON e.id = t.leaf JOIN touched x ON x.session = e.session
WHERE t.leaf <> ''

-- name: touched
-- Some sessions that are out of date.
SELECT t.session FROM touched t ORDER BY t.session LIMIT :most

-- name: untouch
-- These sessions are up to date.
DELETE FROM touched WHERE session IN (SELECT value FROM json_each(:sessions))

-- name: titles_of
-- The titles of sessions: said of them, or of an event that they hold.
SELECT t.session, t.title, t.weight, t.stream, t.line
FROM titles t LEFT JOIN events e ON e.id = t.leaf
WHERE t.session IN (SELECT value FROM json_each(:sessions)) AND e.number IS NULL
UNION ALL
SELECT e.session, t.title, t.weight, t.stream, t.line
FROM titles t JOIN events e ON e.id = t.leaf
WHERE t.leaf <> '' AND e.session IN (SELECT value FROM json_each(:sessions))

-- name: extent
-- How many events a session has and when it ran; instants that records say come before derived ones.
SELECT
    count(*),
    coalesce(min(CASE WHEN time_from = 'record' THEN time END), min(time)),
    coalesce(max(CASE WHEN time_from = 'record' THEN time END), max(time))
FROM events
WHERE session = :session AND kind <> 'memory' AND twin IS NULL AND NOT hidden

-- name: first_prompt
-- The first thing the person said in a session.
SELECT substr(t.text, 1, 2000)
FROM events e JOIN texts t ON t.event = e.number
WHERE e.session = :session AND e.shelf = 'spoken' AND e.role = 'user'
ORDER BY e.stream, e.line, e.part
LIMIT 1

-- name: first_directory
-- The first directory of a session.
SELECT directory
FROM events
WHERE session = :session AND directory IS NOT NULL
ORDER BY stream, line, part
LIMIT 1

-- name: claims_of
-- What logs say of a session as a whole.
SELECT what, value FROM claims WHERE session = :session

-- name: copied_from
-- The session that owns the last of the events that this one copied.
SELECT s.id
FROM copies c JOIN events e ON e.number = c.event JOIN sessions s ON s.number = e.session
WHERE c.session = :session AND e.session <> :session
ORDER BY e.time DESC, e.stream DESC, e.line DESC, e.part DESC
LIMIT 1

-- name: set_session
-- Write the derived columns of a session.
UPDATE sessions SET
    title = :title,
    prompt = :prompt,
    started = :started,
    ended = :ended,
    events = :events,
    directory = :directory,
    parent = :parent,
    forked_from = :forked_from,
    hidden = :hidden
WHERE number = :session

-- name: put_place
-- What was seen of a directory.
INSERT INTO directories(cwd, project, name, owner) VALUES (?, ?, ?, ?)
ON CONFLICT(cwd) DO UPDATE SET project = excluded.project, name = excluded.name, owner = excluded.owner
WHERE (project, name, owner) IS NOT (excluded.project, excluded.name, excluded.owner)

-- name: forget_merged
-- Forget the person's decisions about projects, to write all of them.
DELETE FROM merged

-- name: forget_named
-- Forget the person's names of projects, to write all of them.
DELETE FROM named

-- name: add_merged
-- A project that is part of another.
INSERT INTO merged(project, target) VALUES (?, ?)

-- name: add_named
-- A project that the person gave a name.
INSERT INTO named(project, name) VALUES (?, ?)

-- name: merged
-- Projects that are part of another.
SELECT project, target FROM merged

-- name: named
-- Projects that the person gave a name.
SELECT project, name FROM named

-- name: places
-- Directories that were placed.
SELECT number, cwd, project, name, owner, is_used FROM directories WHERE project IS NOT NULL ORDER BY cwd

-- name: unplaced
-- Directories that were not placed yet, with the git remote that a log names for one.
SELECT d.cwd, (
    SELECT r.value
    FROM claims r
    WHERE r.what = 'remote' AND r.session IN (
        SELECT c.session FROM claims c WHERE c.what = 'cwd' AND c.value = d.cwd
        UNION
        SELECT s.number FROM sessions s WHERE s.directory = d.number
    )
    ORDER BY r.stream, r.lines, r.nth
    LIMIT 1
)
FROM directories d
WHERE d.project IS NULL
ORDER BY d.cwd

-- name: sessions_by_directory
-- How much work there was in each directory.
SELECT directory, count(*), sum(events)
FROM sessions
WHERE events > 0 AND NOT hidden AND directory IS NOT NULL
GROUP BY directory

-- name: event_of_id
-- The number of an event, or of the one it repeats, by its id or one that it had.
SELECT coalesce(twin, number) FROM events
WHERE number = coalesce((SELECT number FROM events WHERE id = :id), (SELECT event FROM aliases WHERE id = :id))

-- name: answered
-- The ids of events behind a number, with the places that own them.
SELECT number, id, stream, line, part FROM events WHERE number > :after ORDER BY number LIMIT :limit

-- name: answered_aliases
-- The older ids, with the places of their events, or where those were.
SELECT a.id, e.stream, e.line, e.part FROM aliases a JOIN events e ON e.number = a.event
UNION ALL SELECT id, stream, line, part FROM unanswered

-- name: unknown_ids
-- The ids among these that nothing answers to; none of a destroyed event, whose place is another one's now.
SELECT value FROM json_each(:ids)
WHERE value NOT IN (SELECT id FROM events)
    AND value NOT IN (SELECT id FROM aliases)
    AND value NOT IN (SELECT id FROM hidden WHERE fate = 2)

-- name: add_alias
-- An older id becomes another name of what is read in its place, the same part of the line if there is one.
INSERT OR IGNORE INTO aliases(id, event)
SELECT :id, event FROM anchors WHERE stream = :stream AND line = :line ORDER BY part <> :part, part LIMIT 1
RETURNING id

-- name: add_unanswered
-- An older id waits for something to be read in its place.
INSERT OR IGNORE INTO unanswered(id, stream, line, part) VALUES (:id, :stream, :line, :part)

-- name: id_of_event
-- The id of an event.
SELECT id FROM events WHERE number = :number

-- name: event_rows
-- Events as they are answered: hidden ones never are. `worst` is 1 for who decides what else is hidden.
SELECT
    e.number, e.id, e.time, e.time_from, e.source, s.id, coalesce(e.directory, s.directory), e.role, e.kind, t.text,
    d.cwd, e.git_branch, e.agent_version, e.own
FROM events e
JOIN sessions s ON s.number = e.session
JOIN texts t ON t.event = e.number
LEFT JOIN directories d ON d.number = e.directory
WHERE e.number IN (SELECT value FROM json_each(:numbers)) AND e.hidden <= :worst

-- name: anchors_of
-- Where an event and its repeats were read, the owning place first.
SELECT
    a.first_line, a.line, a.sha256, a.part,
    s.rank, s.source, s.root, s.key, s.generation, s.form, s.identity, s.path, s.mtime
FROM anchors a JOIN streams s ON s.rank = a.stream
WHERE a.event IN (SELECT :number UNION ALL SELECT e.number FROM events e WHERE e.twin = :number)
ORDER BY a.stream, a.line, a.part

-- name: events_in_session
-- The events of a session in order.
SELECT e.number
FROM events e JOIN sessions s ON s.number = e.session
WHERE s.source = :source
    AND s.id = :session
    AND e.kind <> 'memory'
    AND e.twin IS NULL
    AND NOT e.hidden
    AND (:everything OR e.kind = 'message')
ORDER BY e.stream, e.line, e.part
LIMIT :limit OFFSET :offset

-- name: recent
-- The newest events of one full-text table.
SELECT e.number, e.time, e.stream, e.line, e.part
FROM events e
WHERE e.shelf = :shelf
    AND e.time >= :since
    AND e.time < :until
    AND (:source IS NULL OR e.source = :source)
    AND (
        :directories IS NULL
        OR coalesce(e.directory, (SELECT s.directory FROM sessions s WHERE s.number = e.session))
        IN (SELECT value FROM json_each(:directories))
    )
ORDER BY e.time DESC, e.stream DESC, e.line DESC, e.part DESC
LIMIT :most

-- name: hits
-- The best short events that hold every word.
SELECT rowid, rank FROM {shelf} WHERE {shelf} MATCH :match AND rowid < :pieces ORDER BY rank LIMIT :most

-- name: hits_where
-- The best short events that hold every word and pass a filter. CROSS JOIN and + keep the words in the lead.
SELECT f.rowid, f.rank
FROM {shelf} f CROSS JOIN events e ON e.number = f.rowid
WHERE f.{shelf} MATCH :match
    AND f.rowid < :pieces
    AND +e.time >= :since
    AND +e.time < :until
    AND (:source IS NULL OR +e.source = :source)
    AND (
        :directories IS NULL
        OR coalesce(e.directory, (SELECT s.directory FROM sessions s WHERE s.number = e.session))
        IN (SELECT value FROM json_each(:directories))
    )
ORDER BY f.rank
LIMIT :most

-- name: hits_in_pieces
-- The long events that hold one word in any of their pieces.
SELECT (rowid - :pieces) >> 16, min(rank) FROM {shelf} WHERE {shelf} MATCH :match AND rowid >= :pieces GROUP BY 1

-- name: passing
-- Which events pass a filter.
SELECT e.number
FROM events e
WHERE e.number IN (SELECT value FROM json_each(:numbers))
    AND +e.time >= :since
    AND +e.time < :until
    AND (:source IS NULL OR +e.source = :source)
    AND (
        :directories IS NULL
        OR coalesce(e.directory, (SELECT s.directory FROM sessions s WHERE s.number = e.session))
        IN (SELECT value FROM json_each(:directories))
    )

-- name: order_of
-- What decides between events that fit equally well.
SELECT number, time, stream, line, part FROM events WHERE number IN (SELECT value FROM json_each(:numbers))

-- name: sessions
-- Sessions by last activity.
SELECT source, id, directory, title, prompt, started, ended, events, parent, forked_from
FROM sessions
WHERE events > 0
    AND NOT hidden
    AND ended >= :since
    AND started < :until
    AND (:source IS NULL OR source = :source)
    AND (:directories IS NULL OR directory IN (SELECT value FROM json_each(:directories)))
ORDER BY ended DESC, started DESC, source, id
LIMIT :limit OFFSET :offset

-- name: sessions_of_id
-- The sessions of an id.
SELECT source, id, directory, title, prompt, started, ended, events, parent, forked_from
FROM sessions
WHERE id = :id AND events > 0 AND (:source IS NULL OR source = :source)
ORDER BY source

-- name: sessions_that_begin
-- The sessions whose id begins like this.
SELECT source, id, directory, title, prompt, started, ended, events, parent, forked_from
FROM sessions
WHERE id >= :id AND id < :id || char(1114111) AND events > 0 AND (:source IS NULL OR source = :source)
ORDER BY id, source
LIMIT 9

-- name: cwds
-- The paths of directories.
SELECT number, cwd FROM directories WHERE number IN (SELECT value FROM json_each(:numbers))

-- name: coverage
-- What each source's files hold: the newest life of each file.
SELECT
    s.source, count(*), sum(s.offset), sum(s.lines), sum(s.gone),
    sum(s.form = 'log' AND s.lines > 0 AND s.events = 0 AND (
        s.facts = 0 OR EXISTS (SELECT 1 FROM unread u WHERE u.stream = s.rank AND u.reason <> 'replayed')
    ))
FROM streams s
WHERE NOT EXISTS (
    SELECT 1 FROM streams n
    WHERE n.source = s.source AND n.root = s.root AND n.key = s.key AND n.generation > s.generation
)
GROUP BY s.source

-- name: sessions_by_source
-- How many sessions and events each source has.
SELECT source, sum(NOT hidden), sum(events) FROM sessions WHERE events > 0 GROUP BY source

-- name: unread_by_source
-- How many records of the newest lives gave no event, and why.
SELECT s.source, u.reason, u.label, sum(u.count)
FROM unread u JOIN streams s ON s.rank = u.stream
WHERE NOT EXISTS (
    SELECT 1 FROM streams n
    WHERE n.source = s.source AND n.root = s.root AND n.key = s.key AND n.generation > s.generation
)
GROUP BY s.source, u.reason, u.label

-- name: unparsable_lines
-- Where each file of a newest life has its first line that can't be parsed.
SELECT s.source, s.path, min(u.first_line)
FROM unread u JOIN streams s ON s.rank = u.stream
WHERE u.reason = 'unparsable' AND NOT EXISTS (
    SELECT 1 FROM streams n
    WHERE n.source = s.source AND n.root = s.root AND n.key = s.key AND n.generation > s.generation
)
GROUP BY s.rank
ORDER BY s.source, s.path
