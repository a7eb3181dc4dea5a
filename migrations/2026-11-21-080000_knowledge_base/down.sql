DROP TABLE kb_articles;
DROP FUNCTION kb_lexemes(uuid, tsvector);
DROP FUNCTION kb_words(text, text, text[], text);
DROP FUNCTION kb_words_of(text, text);
DROP FUNCTION kb_fold(text);
ALTER TABLE workspaces DROP COLUMN kb_language;
