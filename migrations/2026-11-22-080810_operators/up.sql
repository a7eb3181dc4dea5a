-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Users and workspaces
-- are small tables.
SET LOCAL lock_timeout = '3s';

ALTER TABLE users ADD COLUMN is_operator boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN users.is_operator IS
    'Whether the user operates the service: plans, limits and states of all workspaces. The command line alone sets it.';

CREATE INDEX users_operators ON users (email_key COLLATE "C") WHERE is_operator;

ALTER TABLE workspaces ALTER COLUMN plan SET DEFAULT 'enterprise';

ALTER TABLE workspaces ADD COLUMN search tsvector NOT NULL DEFAULT '';
-- Only the domain folds accents; the next change of a workspace writes its words anew.
UPDATE workspaces SET search = array_to_tsvector(ARRAY(
    SELECT DISTINCT repeat('A', 22) || left(word, 64)
    FROM regexp_split_to_table(lower(concat_ws(' ', name, slug, replace(slug, '-', ' '))), '\s+') AS word
    WHERE word ~ '^[[:alnum:]]'));
COMMENT ON COLUMN workspaces.search IS 'The words that operators find it by, each after the id of no workspace.';
-- Not by workspace, all three: operators list all of them.
CREATE INDEX workspaces_newest ON workspaces (created_at DESC, id DESC);
CREATE INDEX workspaces_by_status ON workspaces (status, created_at DESC, id DESC);
CREATE INDEX workspaces_search ON workspaces USING gin (search) WITH (fastupdate = off);
