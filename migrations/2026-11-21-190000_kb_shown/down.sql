SET LOCAL lock_timeout = '3s';

ALTER TABLE kb_articles DROP COLUMN shown;
COMMENT ON COLUMN kb_articles.words IS 'Of kb_words, in the language of the workspace.';
