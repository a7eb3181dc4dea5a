-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE kb_articles ADD COLUMN shown text;
COMMENT ON COLUMN kb_articles.shown IS
    'What a reader sees of a long body, which would take too long to be made for each search; null for a short one.';
COMMENT ON COLUMN kb_articles.words IS
    'Of kb_words, in the language of the workspace; its texts come in lower case, with blanks for the signs that no word has.';
