-- The words of comments, for search. The previous release can run on it: it leaves the words of what it writes empty, or as they were, and the
-- walks of search_walks write them.
--
-- Comments have no words yet, so the indexes begin empty: to build one reads its table once, and waits for nothing but running writes.
SET LOCAL lock_timeout = '3s';

ALTER TABLE comments ADD COLUMN search tsvector;
ALTER TABLE record_comments ADD COLUMN search tsvector;
CREATE INDEX comments_search ON comments USING gin (search) WITH (fastupdate = off) WHERE search IS NOT NULL;
CREATE INDEX comments_newest ON comments (workspace_id, created_at DESC, id DESC) WHERE search IS NOT NULL;
CREATE INDEX record_comments_search ON record_comments USING gin (search) WITH (fastupdate = off) WHERE search IS NOT NULL;
CREATE INDEX record_comments_newest ON record_comments (workspace_id, created_at DESC, id DESC) WHERE search IS NOT NULL;
COMMENT ON COLUMN comments.search IS 'The words of the text. Null until a walk of search_walks has indexed it.';
COMMENT ON COLUMN record_comments.search IS
    'The words of the text, each after a letter for the kind of the record. Null until a walk of search_walks has indexed it.';
