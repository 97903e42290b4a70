-- name: concern
-- Whether any event is hidden, waited for, or cited.
SELECT EXISTS(SELECT 1 FROM hidden), EXISTS(SELECT 1 FROM awaited), EXISTS(SELECT 1 FROM citations)

-- name: fates_of
-- Which of these ids are hidden.
SELECT id, fate FROM hidden WHERE id IN (SELECT value FROM json_each(:ids))

-- name: members_of
-- The events of these numbers with all that say the same, and what became of the ids of each.
WITH originals(number) AS (
    SELECT DISTINCT coalesce(twin, number) FROM events WHERE number IN (SELECT value FROM json_each(:numbers))
), members(original, number) AS (
    SELECT number, number FROM originals
    UNION
    SELECT e.twin, e.number FROM originals o JOIN events e ON e.twin = o.number
)
SELECT
    m.original, e.number, e.session, e.role, e.kind, e.own, e.shelf, e.pieces, e.twin, e.hidden,
    max(
        coalesce((SELECT h.fate FROM hidden h WHERE h.id = e.id), 0),
        coalesce((SELECT max(h.fate) FROM aliases a JOIN hidden h ON h.id = a.id WHERE a.event = e.number), 0)
    )
FROM members m JOIN events e ON e.number = m.number

-- name: set_hidden
-- Say what became of an event and where in full text it is.
UPDATE events SET hidden = ?, shelf = ?, pieces = ?, text_key = ?, speaker = ?, tokens = ? WHERE number = ?

-- name: wipe_text
-- Drop the text of a destroyed event.
UPDATE texts SET text = '' WHERE event = ?

-- name: wipe_size
-- A destroyed event has no length.
UPDATE events SET size = 0 WHERE number = ?

-- name: texts_of
-- The texts of events.
SELECT event, text FROM texts WHERE event IN (SELECT value FROM json_each(:numbers))

-- name: numbers_of_ids
-- The events behind ids that they have or had.
SELECT number FROM events WHERE id IN (SELECT value FROM json_each(:ids))
UNION
SELECT event FROM aliases WHERE id IN (SELECT value FROM json_each(:ids))

-- name: is_mentioned
-- Whether the ledger names one of these events.
SELECT 1
FROM (
    SELECT id AS named FROM events WHERE number IN (SELECT value FROM json_each(:numbers))
    UNION ALL
    SELECT id AS named FROM aliases WHERE event IN (SELECT value FROM json_each(:numbers))
)
WHERE EXISTS (SELECT 1 FROM citations WHERE event = named) OR EXISTS (SELECT 1 FROM hidden WHERE id = named)
LIMIT 1

-- name: respell
-- Events that got or lost ids.
INSERT OR IGNORE INTO respelled(id) SELECT id FROM events WHERE number IN (SELECT value FROM json_each(:numbers))

-- name: respelled
-- Events that got or lost ids since the ledger was projected.
SELECT id FROM respelled

-- name: spelled
-- These events are projected as they are named now.
DELETE FROM respelled WHERE id IN (SELECT value FROM json_each(:ids))

-- name: spellings
-- All ids of an event and its repeats, its own first.
SELECT id FROM events WHERE number = :number
UNION ALL
SELECT id FROM events WHERE twin = :number AND number <> :number
UNION ALL
SELECT id FROM aliases WHERE event = :number
UNION ALL
SELECT a.id FROM events e JOIN aliases a ON a.event = e.number WHERE e.twin = :number AND e.number <> :number

-- name: fate_of
-- What became of an event by its number.
SELECT hidden FROM events WHERE number = :number

-- name: fate_of_id
-- Whether an id is hidden that nothing may answer to yet.
SELECT fate FROM hidden WHERE id = :id

-- name: hide
-- Say what became of an id.
INSERT INTO hidden(id, fate) VALUES (?, ?) ON CONFLICT(id) DO UPDATE SET fate = excluded.fate

-- name: unhide
-- These ids are not hidden.
DELETE FROM hidden WHERE id IN (SELECT value FROM json_each(:ids))

-- name: wait_for
-- An id that nothing answers to, and where it was read elsewhere.
INSERT OR REPLACE INTO awaited(id, source, root, key, generation, line, part, sha256)
VALUES (:id, :source, :root, :key, :generation, :line, :part, :sha256)

-- name: awaited_in
-- The ids that a stream may give.
SELECT id, line, part, sha256
FROM awaited
WHERE source = :source AND root = :root AND key = :key AND generation = :generation

-- name: arrived
-- These ids are not waited for any more.
DELETE FROM awaited WHERE id IN (SELECT value FROM json_each(:ids))

-- name: name_also
-- Another name of an event.
INSERT OR IGNORE INTO aliases(id, event) VALUES (:id, :event)

-- name: stream_of
-- The stream of a place.
SELECT rank FROM streams WHERE source = :source AND root = :root AND key = :key AND generation = :generation

-- name: read_at
-- What was read at a line.
SELECT event, part, sha256 FROM anchors WHERE stream = :stream AND line = :line

-- name: on_lines
-- The events that were read on some lines of a stream, with what became of them.
SELECT DISTINCT e.id, e.hidden
FROM anchors a JOIN events e ON e.number = a.event
WHERE a.stream = :stream AND a.line >= :first AND a.first_line <= :last
ORDER BY a.line, a.part

-- name: destroyed_anchors
-- Where events that are destroyed were read. CROSS JOIN: they are few.
SELECT
    e.id, a.first_line, a.line, a.sha256, a.part,
    s.rank, s.source, s.root, s.key, s.generation, s.form, s.identity, s.path, s.mtime
FROM events e CROSS JOIN anchors a ON a.event = e.number CROSS JOIN streams s ON s.rank = a.stream
WHERE e.hidden = 2 AND e.hidden > 0
ORDER BY a.stream, a.line, a.part

-- name: drop_blanked
-- Lines that hold nothing any more.
DELETE FROM anchors
WHERE stream = ? AND line BETWEEN ? AND ? AND event IN (SELECT number FROM events WHERE hidden = 2 AND hidden > 0)

-- name: hidden_texts
-- What the hidden events of a session said, as far as that is known.
SELECT e.hidden, t.text
FROM events e JOIN texts t ON t.event = e.number
WHERE e.session = :session AND e.hidden > 0

-- name: session_numbers
-- The visible events of a session that say something, in order; the record of a title is one of those that do not.
SELECT number
FROM events
WHERE session = :session AND twin IS NULL AND NOT hidden AND kind NOT IN ('meta', 'system')
ORDER BY stream, line, part

-- name: holding
-- The short events of a kind that hold every word. CROSS JOIN keeps the words in the lead.
SELECT f.rowid
FROM {shelf} f CROSS JOIN events e ON e.number = f.rowid
WHERE f.{shelf} MATCH :match AND f.rowid < :pieces AND +e.kind = :kind

-- name: of_kind
-- Which events are of a kind.
SELECT number FROM events WHERE number IN (SELECT value FROM json_each(:numbers)) AND +kind = :kind

-- name: newest_on_shelf
-- The newest events of a kind behind a place in that order.
SELECT number, time, stream, line, part
FROM events
WHERE shelf = :shelf AND time <= :time AND kind = :kind AND (time, stream, line, part) < (:time, :stream, :line, :part)
ORDER BY time DESC, stream DESC, line DESC, part DESC
LIMIT :most

-- name: newest_memory
-- The newest events of memory files behind a place in that order.
SELECT number, time, stream, line, part
FROM events
WHERE kind = 'memory'
    AND time <= :time
    AND twin IS NULL
    AND NOT hidden
    AND (time, stream, line, part) < (:time, :stream, :line, :part)
ORDER BY time DESC, stream DESC, line DESC, part DESC
LIMIT :most

-- name: newest_other
-- The newest events of a kind that full text leaves out, behind a place in that order.
SELECT number, time, stream, line, part
FROM events
WHERE kind = :kind
    AND twin IS NULL
    AND NOT hidden
    AND (time, stream, line, part) < (:time, :stream, :line, :part)
ORDER BY time DESC, stream DESC, line DESC, part DESC
LIMIT :most

-- name: unsearched
-- The visible events that full text does not hold and that have one of some parts, in lower case.
SELECT e.number
FROM events e JOIN texts t ON t.event = e.number
WHERE e.shelf IS NULL
    AND e.size > 0
    AND e.twin IS NULL
    AND NOT e.hidden
    AND EXISTS (SELECT 1 FROM json_each(:parts) p WHERE instr(lower(t.text), p.value))

-- name: texts_holding
-- Those of some events of which the text holds another one; both are folded as quotes are.
SELECT event FROM texts WHERE event IN (SELECT value FROM json_each(:numbers)) AND holds(text, :folded)

-- name: own_calls
-- The calls of our own tools since an instant.
SELECT number
FROM events
WHERE own AND kind = 'tool_use' AND time >= :since AND twin IS NULL AND NOT hidden
ORDER BY time, stream, line, part

-- name: newest_own_call
-- The newest call of our own tools, in the order in which they were read.
SELECT coalesce(max(number), 0) FROM events WHERE own AND kind = 'tool_use'

-- name: respell_id
-- An id that the ledger names and that something answers to now.
INSERT OR IGNORE INTO respelled(id) VALUES (?)

-- name: aliases_mentioned
-- The older ids of events that the ledger names.
SELECT id, event
FROM aliases
WHERE id IN (SELECT id FROM hidden) OR id IN (SELECT event FROM citations) OR id IN (SELECT id FROM awaited)

-- name: count
-- Count that something happened once more.
INSERT INTO metadata(key, value) VALUES (:key, 1) ON CONFLICT(key) DO UPDATE SET value = value + 1
