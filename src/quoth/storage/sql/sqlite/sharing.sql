-- name: how_often
-- How many rows of a full-text table hold each of some words, as far as that is counted.
SELECT value, (SELECT count(*) FROM (SELECT 1 FROM {shelf} WHERE {shelf} MATCH value LIMIT :most))
FROM json_each(:expressions)

-- name: sharing
-- The rows of a full-text table that share some words, with how often they hold each.
SELECT rowid, counted({shelf}, :first) FROM {shelf} WHERE {shelf} MATCH :match

-- name: spoken_best
-- Those of the spoken messages and pieces that the engine takes for the best.
SELECT rowid, counted(spoken, :first), rank FROM spoken WHERE spoken MATCH :match ORDER BY rank LIMIT :most

-- name: spoken_best_where
-- The same of those that pass a filter. CROSS JOIN and + keep the words in the lead.
SELECT f.rowid, counted(f.spoken, :first), f.rank
FROM spoken f
CROSS JOIN events e ON e.number = iif(f.rowid < :pieces, f.rowid, (f.rowid - :pieces) >> 16)
WHERE f.spoken MATCH :match
    -- use: event_passes
ORDER BY f.rank
LIMIT :most

-- name: event_passes
-- What an event must be to pass a filter; stands in other queries.
    AND +e.time >= :since
    AND +e.time < :until
    AND (:source IS NULL OR +e.source = :source)
    AND (
        :directories IS NULL
        OR coalesce(e.directory, (SELECT s.directory FROM sessions s WHERE s.number = e.session))
        IN (SELECT value FROM json_each(:directories))
    )

-- name: entry_is_asked_for
-- Which versions may answer; stands in other queries.
    AND (
        e.state = 'current'
        OR (:with_negated AND e.state = 'negated')
        OR ((:with_replaced OR :as_of IS NOT NULL) AND e.state = 'superseded')
    )
    -- use: entry_passes

-- name: remembered_best_where
-- The entries that share some words, pass a filter, and that the engine takes for the best.
SELECT f.rowid, counted(f.remembered, :first), f.rank
FROM remembered f CROSS JOIN entries e ON e.number = f.rowid
WHERE f.remembered MATCH :match
    -- use: entry_is_asked_for
ORDER BY f.rank
LIMIT :most

-- name: entries_of_keys
-- The newest few entries of each text that pass a filter.
SELECT number
FROM (
    SELECT e.number, row_number() OVER (PARTITION BY e.text_key ORDER BY e.created_at DESC, e.id) AS place
    FROM json_each(:keys) k CROSS JOIN entries e ON e.text_key = unhex(k.value)
    WHERE TRUE
        -- use: entry_is_asked_for
)
WHERE place <= :most

-- name: entries_bound
-- The versions of some roots, and of those that cite one of some events, that pass a filter.
SELECT e.number
FROM entries e
WHERE e.root IN (
        SELECT value FROM json_each(:roots)
        UNION
        SELECT c.root FROM json_each(:events) j CROSS JOIN citations c ON c.event = j.value
    )
    AND e.text_key IS NOT NULL
    -- use: entry_is_asked_for

-- name: entries_with_text
-- How many versions say something, as far as that is counted.
SELECT count(*) FROM (SELECT 1 FROM entries WHERE text_key IS NOT NULL LIMIT :most)

-- name: entry_keys
-- The texts of entries that pass a filter.
SELECT DISTINCT e.text_key
FROM entries e
WHERE e.text_key IS NOT NULL
    -- use: entry_is_asked_for
LIMIT :most

-- name: entry_hits
-- Those versions that pass a filter, as candidates.
SELECT
    e.number, e.id, e.root, e.text_key, e.tokens, e.created_at, e.by_person, e.agent, e.workspace, e.repository,
    e.seen_branch, e.type, e.importance, e.is_current
FROM entries e
WHERE e.number IN (SELECT value FROM json_each(:numbers)) AND e.text_key IS NOT NULL
    -- use: entry_is_asked_for

-- name: visible_citations
-- The events that roots cite and that are not hidden.
SELECT root, event
FROM citations
WHERE root IN (SELECT value FROM json_each(:roots)) AND event NOT IN (SELECT id FROM hidden)
ORDER BY root, event

-- name: edges_to_visible
-- The edges of one relation that roots hold, to versions that are current, or were until an instant.
SELECT r.entry, o.id
FROM json_each(:roots) j
CROSS JOIN relations r ON r.holder = j.value AND r.relation = :relation
CROSS JOIN entries o ON o.id = r.other
WHERE r.root = r.holder
    AND iif(:as_of IS NULL, o.state = 'current', o.state IN ('current', 'superseded') AND o.created_at <= :as_of)
ORDER BY r.entry, o.id

-- name: entry_numbers_of
-- The versions of ids; of two roots that claim one the first has it.
SELECT id, number FROM entries WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY root DESC

-- name: counted_in_pieces
-- How often the pieces of a long message hold each of some words.
SELECT counted(spoken, 0) FROM spoken WHERE spoken MATCH :match AND rowid BETWEEN :first AND :last

-- name: event_hits
-- Those spoken messages that pass a filter, as candidates.
SELECT
    e.number, e.id, e.text_key, e.tokens, e.time, e.role = 'user', e.source, coalesce(e.directory, s.directory),
    e.git_branch, s.id, e.stream, e.line, e.part, e.speaker
FROM events e JOIN sessions s ON s.number = e.session
WHERE e.number IN (SELECT value FROM json_each(:numbers)) AND e.text_key IS NOT NULL
    -- use: event_passes

-- name: events_of_keys
-- The newest few spoken messages of each text that pass a filter.
SELECT number
FROM (
    SELECT e.number, row_number() OVER (PARTITION BY e.text_key ORDER BY e.time DESC, e.id) AS place
    FROM json_each(:keys) k CROSS JOIN events e ON e.text_key = unhex(k.value)
    WHERE TRUE
        -- use: event_passes
)
WHERE place <= :most

-- name: events_beside
-- Spoken messages with those directly before and after them in their sessions, in the same stream or the next one. + has
-- the session lead, not the shelf.
SELECT
    e.id,
    coalesce(
        (
            SELECT b.number
            FROM events b
            WHERE b.session = e.session
                AND b.stream = e.stream
                AND b.line <= e.line
                AND (b.line, b.part) < (e.line, e.part)
                AND +b.shelf = 'spoken'
            ORDER BY b.line DESC, b.part DESC
            LIMIT 1
        ),
        (
            SELECT b.number
            FROM events b
            WHERE b.session = e.session AND b.stream < e.stream AND +b.shelf = 'spoken'
            ORDER BY b.stream DESC, b.line DESC, b.part DESC
            LIMIT 1
        )
    ),
    coalesce(
        (
            SELECT a.number
            FROM events a
            WHERE a.session = e.session
                AND a.stream = e.stream
                AND a.line >= e.line
                AND (a.line, a.part) > (e.line, e.part)
                AND +a.shelf = 'spoken'
            ORDER BY a.line, a.part
            LIMIT 1
        ),
        (
            SELECT a.number
            FROM events a
            WHERE a.session = e.session AND a.stream > e.stream AND +a.shelf = 'spoken'
            ORDER BY a.stream, a.line, a.part
            LIMIT 1
        )
    )
FROM events e
WHERE e.id IN (SELECT value FROM json_each(:ids)) AND +e.shelf = 'spoken'

-- name: event_keys
-- The texts of spoken messages of a time.
SELECT DISTINCT text_key FROM events WHERE shelf = 'spoken' AND time >= :since AND time < :until LIMIT :most

-- name: event_keys_of_source
-- The texts of spoken messages of a source that pass a filter.
SELECT DISTINCT e.text_key
FROM sessions s CROSS JOIN events e ON e.session = s.number
WHERE s.source = :source AND e.text_key IS NOT NULL
    -- use: event_passes
LIMIT :most

-- name: event_keys_of_directories
-- The texts of spoken messages of some directories that pass a filter. Each part ends early: a union alone would not.
SELECT text_key
FROM (
    SELECT DISTINCT e.text_key
    FROM json_each(:directories) d CROSS JOIN events e ON e.directory = d.value
    WHERE e.text_key IS NOT NULL
        -- use: event_passes
    LIMIT :most
)
UNION
SELECT text_key
FROM (
    SELECT DISTINCT e.text_key
    FROM json_each(:directories) d
    CROSS JOIN sessions s ON s.directory = d.value
    CROSS JOIN events e ON e.session = s.number
    WHERE e.directory IS NULL AND e.text_key IS NOT NULL
        -- use: event_passes
    LIMIT :most
)
LIMIT :most

-- name: numbers_of
-- The numbers of events.
SELECT number FROM events WHERE id IN (SELECT value FROM json_each(:ids))

-- name: entries_to_embed
-- What entries say, those that are current first.
SELECT text_key FROM entries WHERE text_key IS NOT NULL ORDER BY state <> 'current', created_at DESC, id

-- name: events_to_embed
-- What was spoken by one side, the newest first, behind a place in that order.
SELECT text_key, time, number
FROM events
WHERE shelf = 'spoken' AND role = :role AND time <= :time AND (time, number) < (:time, :number)
ORDER BY time DESC, number DESC
LIMIT :most

-- name: said_in_events
-- What spoken messages say, by its key.
SELECT e.text_key, t.text
FROM json_each(:keys) k CROSS JOIN events e ON e.text_key = unhex(k.value) JOIN texts t ON t.event = e.number
GROUP BY e.text_key

-- name: said_in_entries
-- What entries say, by its key.
SELECT e.text_key, json_extract(e.data, '$.version.statement.text')
FROM json_each(:keys) k CROSS JOIN entries e ON e.text_key = unhex(k.value)
GROUP BY e.text_key

-- name: unsaid
-- Texts whose vectors must go.
SELECT text_key FROM unsaid WHERE EXISTS (SELECT 1 FROM unsaid WHERE is_hidden)

-- name: drop_unsaid
-- The vectors of these texts are gone.
DELETE FROM unsaid WHERE text_key IN (SELECT unhex(value) FROM json_each(:keys))

-- name: say_again
-- Forget those texts that something visible says.
DELETE FROM unsaid
WHERE EXISTS (SELECT 1 FROM entries e WHERE e.text_key = unsaid.text_key)
    OR EXISTS (SELECT 1 FROM events e WHERE e.text_key = unsaid.text_key)
