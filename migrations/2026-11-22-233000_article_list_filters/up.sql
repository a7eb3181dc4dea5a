-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. The indexes hold nothing
-- yet, and are built in about a second per million rows, during which the table can be read, but not written.
SET LOCAL lock_timeout = '3s';

-- Filled beside the requests for the articles that are there.
ALTER TABLE kb_articles ADD COLUMN search tsvector;
CREATE INDEX kb_articles_by_word ON kb_articles USING gin (search) WITH (fastupdate = off)
    WHERE deleted_at IS NULL AND search IS NOT NULL;
CREATE INDEX kb_articles_search_stale ON kb_articles (workspace_id, id) WHERE search IS NULL AND deleted_at IS NULL;
COMMENT ON COLUMN kb_articles.search IS
    'What the list of articles is filtered by: the words of title and tags, and # with each tag, each after the workspace, so that the index never mixes workspaces; null until it is indexed. Searches of the knowledge base use words.';
