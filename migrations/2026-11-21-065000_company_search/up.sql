-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. No surface made
-- companies before this one, so that what is filled in and indexed below is next to nothing.
SET LOCAL lock_timeout = '3s';

ALTER TABLE companies ADD COLUMN search tsvector NOT NULL DEFAULT '';
-- Only the domain folds accents; the next change of a company writes its words anew.
UPDATE companies SET search = array_to_tsvector(ARRAY(
    SELECT DISTINCT rtrim(translate(encode(uuid_send(workspace_id), 'base64'), '+/', '-_'), '=') || left(word, 64)
    FROM regexp_split_to_table(lower(concat_ws(' ', name, domain, replace(domain, '.', ' '))), '\s+') AS word
    WHERE word ~ '^[[:alnum:]]'));
ALTER TABLE companies ALTER COLUMN search DROP DEFAULT;
CREATE INDEX companies_newest ON companies (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX companies_search ON companies USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL;
COMMENT ON COLUMN companies.search IS
    'The words that search finds, each after the workspace, so that the index never mixes workspaces.';
