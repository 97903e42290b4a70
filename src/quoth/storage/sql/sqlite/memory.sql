-- name: versions_held
-- The numbers of the versions of roots, and which of them full text holds.
SELECT number, is_indexed FROM entries WHERE root IN (SELECT value FROM json_each(:roots))

-- name: drop_versions
-- The versions of roots, to write them again.
DELETE FROM entries WHERE root IN (SELECT value FROM json_each(:roots))

-- name: drop_citations
-- What roots cite, to write it again.
DELETE FROM citations WHERE root IN (SELECT value FROM json_each(:roots))

-- name: drop_relations
-- The edges of roots, to write them again.
DELETE FROM relations WHERE holder IN (SELECT value FROM json_each(:roots))

-- name: show_roots
-- Roots that may not be hidden any more.
DELETE FROM hidden_roots WHERE root IN (SELECT value FROM json_each(:roots))

-- name: all_roots
-- Every root that anything is held of.
SELECT root FROM entries
UNION
SELECT root FROM hidden_roots
UNION
SELECT holder FROM relations
UNION
SELECT root FROM citations

-- name: all_hidden
-- Every id that is hidden.
SELECT id FROM hidden

-- name: add_version
-- One version of an entry.
INSERT INTO entries(
    id, root, place, age, state, is_current, is_concurrent, current, kind, type, name, created_at, valid_from, valid_to,
    tenant, workspace, repository, branch, tier, agent, digest, is_cited, data, is_indexed,
    by_person, importance, seen_branch, text_key, tokens
) VALUES (
    :id, :root, :place, :age, :state, :is_current, :is_concurrent, :current, :kind, :type, :name, :created_at,
    :valid_from, :valid_to, :tenant, :workspace, :repository, :branch, :tier, :agent, :digest, :is_cited, :data,
    :is_indexed, :by_person, :importance, :seen_branch, :text_key, :tokens
) RETURNING number

-- name: add_citation
-- An event that a root cites.
INSERT INTO citations(root, event) VALUES (?, ?)

-- name: add_relation
-- An edge of a root.
INSERT INTO relations(holder, relation, entry, root, other, other_root) VALUES (?, ?, ?, ?, ?, ?)

-- name: hide_root
-- A root that is hidden.
INSERT INTO hidden_roots(root) VALUES (?)

-- name: index_entry
-- The words of an entry.
INSERT INTO remembered(rowid, parts, joined, stems) VALUES (?, ?, ?, ?)

-- name: unindex_entry
-- Take an entry's words away.
DELETE FROM remembered WHERE rowid = ?

-- name: entry_rows
-- Versions as they are answered.
SELECT
    number, id, root, state, is_current, is_concurrent, current, name, type, tenant, workspace, repository, branch,
    tier, data
FROM entries
WHERE number IN (SELECT value FROM json_each(:numbers))

-- name: relations_of
-- The edges of roots, without those at whose other end a root is hidden.
SELECT holder, relation, entry, root, other, other_root
FROM relations
WHERE holder IN (SELECT value FROM json_each(:roots))
    AND root NOT IN (SELECT root FROM hidden_roots)
    AND other_root NOT IN (SELECT root FROM hidden_roots)
ORDER BY holder, relation, entry, other

-- name: names_given
-- The visible roots of a type and scope that were given a name or one that begins with it, the oldest first.
SELECT root, name
FROM entries
WHERE type = :type
    AND is_current
    AND name >= :stem
    AND name < :stem || '.'
    AND state NOT IN ('destroyed', 'forgotten')
    AND (tenant, workspace, repository, branch) = (:tenant, :workspace, :repository, :branch)
ORDER BY age, root

-- name: entry_numbers_of_id
-- The version of an id; of two roots that claim it the first has it.
SELECT number FROM entries WHERE id = :id ORDER BY root LIMIT 1

-- name: entries_of_tail
-- The versions whose id ends like this.
SELECT DISTINCT id FROM entries WHERE substr(id, -8) = :last AND substr(id, -:length) = :tail ORDER BY id

-- name: entry_is_known
-- Whether there is a version of an id.
SELECT 1 FROM entries WHERE id = :id LIMIT 1

-- name: versions_of_root
-- Every version of a root, the oldest first.
SELECT number FROM entries WHERE root = :root ORDER BY place

-- name: heads_of_root
-- The versions of a root that nothing replaced yet, the oldest first.
SELECT number FROM entries WHERE root = :root AND (is_current OR is_concurrent) ORDER BY place

-- name: entries_of_age
-- Every version of every root behind a place, the oldest root first.
SELECT number, age, root, place
FROM entries
WHERE (age, root, place) > (:age, :root, :place)
ORDER BY age, root, place
LIMIT :most

-- name: entry_passes
-- What an entry must be to pass a filter; stands in other queries.
    AND e.created_at >= :since
    AND e.created_at < :until
    AND (
        :as_of IS NULL
        OR (
            e.created_at <= :as_of
            AND NOT EXISTS (
                SELECT 1 FROM entries n WHERE n.root = e.root AND n.place > e.place AND n.created_at <= :as_of
            )
        )
    )
    AND (:now IS NULL OR ((e.valid_to IS NULL OR e.valid_to > :now) AND (e.valid_from IS NULL OR e.valid_from <= :now)))
    AND (:kind IS NULL OR e.kind = :kind)
    AND (:type IS NULL OR e.type = :type)
    AND (:types IS NULL OR e.type IN (SELECT value FROM json_each(:types)))
    AND (:agent IS NULL OR e.agent = :agent)
    AND (:places IS NULL OR e.workspace || '/' || e.repository IN (SELECT value FROM json_each(:places)))
    AND (
        :spot_tenant IS NULL
        OR :with_elsewhere
        OR (
            e.tenant IN ('', :spot_tenant)
            AND CASE
                WHEN e.repository = '' THEN e.workspace IN ('', :spot_workspace)
                ELSE e.workspace || '/' || e.repository IN (SELECT value FROM json_each(:spot_places))
            END
        )
    )
    AND (
        :spot_branches IS NULL
        OR e.branch = ''
        OR e.branch IN (SELECT value FROM json_each(:spot_branches))
        OR (:with_elsewhere AND e.workspace || '/' || e.repository NOT IN (SELECT value FROM json_each(:spot_places)))
    )

-- name: entries_found
-- The current entries that hold every word and pass a filter.
SELECT f.rowid
FROM remembered f CROSS JOIN entries e ON e.number = f.rowid
WHERE f.remembered MATCH :match
    AND e.is_current
    AND (e.state = 'current' OR :with_negated)
    -- use: entry_passes
ORDER BY f.rank, e.created_at DESC, e.id DESC
LIMIT :limit OFFSET :offset

-- name: entries_recent
-- The newest current entries that pass a filter.
SELECT e.number
FROM entries e
WHERE e.is_current
    AND (e.state = 'current' OR (:with_negated AND e.state = 'negated'))
    -- use: entry_passes
ORDER BY e.created_at DESC, e.id DESC
LIMIT :limit OFFSET :offset

-- name: entries_sharing
-- The current visible entries that share most with some words. What they say is read of the best alone.
SELECT rowid, parts
FROM remembered
WHERE rowid IN (
    SELECT f.rowid
    FROM remembered f CROSS JOIN entries e ON e.number = f.rowid
    WHERE f.remembered MATCH :match AND e.state = 'current'
    ORDER BY f.rank, e.created_at DESC, e.id DESC
    LIMIT :most
)

-- name: how_common
-- How many entries hold each of some words, as far as that is counted.
SELECT
    value,
    (SELECT count(*) FROM (SELECT 1 FROM remembered WHERE remembered MATCH '{parts joined} : "' || value || '"' LIMIT :most))
FROM json_each(:words)

-- name: branches
-- The branches of a repository that current entries apply to alone.
SELECT DISTINCT branch
FROM entries
WHERE is_current
    AND state = 'current'
    AND branch <> ''
    AND tenant = :spot_tenant
    AND workspace || '/' || repository IN (SELECT value FROM json_each(:spot_places))
ORDER BY branch

-- name: count_entries
-- How many roots have a current visible entry.
SELECT count(*) FROM entries WHERE is_current AND state = 'current'

-- name: count_versions
-- Versions, their roots, those that full text holds, those of a known type, edges. An edge is held by both of its roots.
SELECT
    count(*),
    count(DISTINCT root),
    coalesce(sum(is_indexed), 0),
    count(type),
    (
        SELECT count(*)
        FROM relations
        WHERE holder = root
            AND root NOT IN (SELECT root FROM hidden_roots)
            AND other_root NOT IN (SELECT root FROM hidden_roots)
    )
FROM entries

-- name: entries_equal
-- The current versions that say the same, or all that ever did, the oldest first.
SELECT number
FROM entries
WHERE digest = :digest
    AND (is_current OR :ever)
    AND (
        :tenant IS NULL
        OR (tenant, workspace, repository, branch) = (:tenant, :workspace, :repository, :branch)
    )
ORDER BY created_at, id

-- name: entries_named
-- The current visible entries that were given a name.
SELECT number
FROM entries
WHERE type = :type
    AND name = :name
    AND is_current
    AND state = 'current'
    AND (tenant, workspace, repository, branch) = (:tenant, :workspace, :repository, :branch)
ORDER BY age, root

-- name: entries_citing
-- The versions of roots that cite one of these events.
SELECT number
FROM entries
WHERE root IN (SELECT root FROM citations WHERE event IN (SELECT value FROM json_each(:events)))
ORDER BY age, root, place

-- name: entries_in
-- The versions in one of some states.
SELECT number FROM entries WHERE state IN (SELECT value FROM json_each(:states)) ORDER BY number

-- name: entries_uncited
-- The current visible entries that cite nothing.
SELECT number
FROM entries
WHERE is_current AND state = 'current' AND NOT is_cited AND created_at > :since
ORDER BY created_at, id

-- name: repositories
-- Where entries apply, as far as projects are concerned. It leaps from place to place: they are few among many entries.
WITH RECURSIVE leaps(number) AS (
    SELECT (SELECT number FROM entries WHERE repository <> '' ORDER BY workspace, repository LIMIT 1)
    UNION ALL
    SELECT coalesce(
        (
            SELECT n.number
            FROM entries n
            WHERE n.repository <> '' AND n.workspace = e.workspace AND n.repository > e.repository
            ORDER BY n.repository
            LIMIT 1
        ),
        (
            SELECT n.number
            FROM entries n
            WHERE n.repository <> '' AND n.workspace > e.workspace
            ORDER BY n.workspace, n.repository
            LIMIT 1
        )
    )
    FROM leaps l JOIN entries e ON e.number = l.number
)
SELECT e.workspace, e.repository FROM leaps l JOIN entries e ON e.number = l.number

-- name: repositories_shown
-- Where current visible entries apply, as far as projects are concerned.
SELECT DISTINCT workspace, repository
FROM entries
WHERE repository <> '' AND is_current AND state IN ('current', 'negated')
