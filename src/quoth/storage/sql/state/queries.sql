-- name: exclusions
-- Everything the person does not want read.
SELECT kind, value FROM exclusions ORDER BY kind, value;

-- name: exclude
INSERT INTO exclusions (kind, value) VALUES (:kind, :value) ON CONFLICT DO NOTHING RETURNING 1;

-- name: include
DELETE FROM exclusions WHERE kind = :kind AND value = :value RETURNING 1;

-- name: paused
SELECT until FROM pause;

-- name: pause
INSERT INTO pause (only, until) VALUES (1, :until) ON CONFLICT DO UPDATE SET until = excluded.until;

-- name: resume
DELETE FROM pause;

-- name: merges
SELECT merged, target FROM project_merges ORDER BY merged;

-- name: target
-- Where a project was merged to.
SELECT target FROM project_merges WHERE merged = :project;

-- name: redirect
-- Whatever was merged into a project follows it to its new place.
UPDATE project_merges SET target = :target WHERE target = :merged;

-- name: merge
INSERT INTO project_merges (merged, target) VALUES (:merged, :target) ON CONFLICT DO UPDATE SET target = excluded.target;

-- name: names
SELECT project, name FROM project_names ORDER BY project;

-- name: rename
INSERT INTO project_names (project, name) VALUES (:project, :name) ON CONFLICT DO UPDATE SET name = excluded.name;

-- name: unmerge
DELETE FROM project_merges WHERE merged = :project;

-- name: links
SELECT path, host, level, name, removed, inserted, created FROM links ORDER BY path, position;

-- name: unlink
DELETE FROM links WHERE path = :path;

-- name: link
INSERT INTO links (path, position, host, level, name, removed, inserted, created)
VALUES (:path, :position, :host, :level, :name, :removed, :inserted, :created);
