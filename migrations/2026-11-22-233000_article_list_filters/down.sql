SET LOCAL lock_timeout = '3s';

DROP INDEX kb_articles_search_stale;
DROP INDEX kb_articles_by_word;
ALTER TABLE kb_articles DROP COLUMN search;
