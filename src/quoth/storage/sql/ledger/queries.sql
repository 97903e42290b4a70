-- name: last
-- The newest operation of a device.
SELECT number, id, device, sequence, ms, step, kind, actor, bound, commitment, previous, hash, NULL, NULL
FROM operations WHERE device = :device ORDER BY sequence DESC LIMIT 1;

-- name: add
INSERT INTO operations (id, device, sequence, ms, step, kind, actor, bound, commitment, previous, hash)
VALUES (:id, :device, :sequence, :ms, :step, :kind, :actor, :bound, :commitment, :previous, :hash)
RETURNING number;

-- name: add_payload
INSERT INTO payloads (number, salt, data) VALUES (:number, :salt, :data) ON CONFLICT DO NOTHING;

-- name: add_subject
INSERT INTO subjects (kind, subject, number) VALUES (:kind, :subject, :number);

-- name: place
-- What stands where a record wants to be: the operation of its id, or the one of its place in the series.
SELECT number, id, hash FROM operations WHERE id = :id
UNION SELECT number, id, hash FROM operations WHERE device = :device AND sequence = :sequence;

-- name: clock
SELECT ms, step FROM clock;

-- name: set_clock
INSERT INTO clock (only_row, ms, step) VALUES (1, :ms, :step)
ON CONFLICT DO UPDATE SET ms = excluded.ms, step = excluded.step;

-- name: cursor
SELECT coalesce(max(number), 0) FROM operations;

-- name: numbered
-- The highest number ever given and the highest there is.
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'operations'), 0),
       coalesce((SELECT max(number) FROM operations), 0);

-- name: since
SELECT o.number, id, device, sequence, ms, step, kind, actor, bound, commitment, previous, hash, salt, data
FROM operations o LEFT JOIN payloads USING (number)
WHERE o.number > :cursor ORDER BY o.number LIMIT :limit;

-- name: one
SELECT o.number, id, device, sequence, ms, step, kind, actor, bound, commitment, previous, hash, salt, data
FROM operations o LEFT JOIN payloads USING (number)
WHERE id = :id;

-- name: by_number
SELECT o.number, id, device, sequence, ms, step, kind, actor, bound, commitment, previous, hash, salt, data
FROM operations o LEFT JOIN payloads USING (number)
WHERE o.number = :number;

-- name: of_kind
SELECT number FROM operations WHERE kind = :kind;

-- name: recent
SELECT count(*) FROM (SELECT kind, actor, ms FROM operations ORDER BY number DESC LIMIT :among)
WHERE kind = :kind AND actor = :actor AND ms >= :since;

-- name: acts
-- How often somebody did something. Marks and quarantines are written in the name of the program; a lesson is a new
-- version, an edge, and the seal right behind it, which is not counted.
SELECT count(*)
FROM operations o
WHERE o.kind IN ('assert', 'judge', 'forget', 'restore', 'destroy', 'move', 'promote')
    AND o.actor NOT LIKE 'quoth@%'
    AND NOT (o.kind = 'judge' AND EXISTS (
        SELECT 1
        FROM operations edge JOIN operations lesson USING (device)
        WHERE edge.device = o.device AND edge.sequence = o.sequence - 1
            AND edge.kind = 'relate' AND edge.actor = o.actor
            AND lesson.kind = 'assert' AND lesson.actor = o.actor
            AND lesson.sequence BETWEEN o.sequence - 30 AND o.sequence - 2
            AND json_extract(CAST(lesson.bound AS TEXT), '$.entry') = json_extract(CAST(edge.bound AS TEXT), '$.entry')
    ));

-- name: in_series
SELECT o.number, id, device, sequence, ms, step, kind, actor, bound, commitment, previous, hash, salt, data
FROM operations o LEFT JOIN payloads USING (number)
WHERE (device, sequence) > (:device, :sequence) ORDER BY device, sequence LIMIT :limit;

-- name: series
SELECT device, max(sequence) FROM operations GROUP BY device ORDER BY device;

-- name: about
-- The numbers of the operations about something.
SELECT number FROM subjects WHERE kind = :kind AND subject = :subject;

-- name: subjects
SELECT kind, subject FROM subjects WHERE number = :number;

-- name: destroyed
-- Whether anything destroys the payload of an operation that is of one of these kinds about a root.
SELECT EXISTS (
    SELECT 1 FROM subjects s JOIN operations o USING (number)
    WHERE o.kind = 'destroy'
      AND ((s.kind = 'operation' AND s.subject = :id) OR (s.kind = 'entry' AND s.subject = :root))
);

-- name: wipe_root
-- Delete what was said of a root, and quoted.
DELETE FROM payloads WHERE number IN (
    SELECT s.number FROM subjects s JOIN operations o USING (number)
    WHERE s.kind = 'entry' AND s.subject = :root AND o.kind IN ('assert', 'cite')
)
RETURNING number;

-- name: wipe_operation
DELETE FROM payloads WHERE number = (SELECT number FROM operations WHERE id = :id) RETURNING number;

-- name: must_scrub
INSERT INTO unscrubbed (only_row) VALUES (1) ON CONFLICT DO NOTHING;

-- name: is_unscrubbed
SELECT EXISTS (SELECT 1 FROM unscrubbed);

-- name: scrubbed
DELETE FROM unscrubbed;
