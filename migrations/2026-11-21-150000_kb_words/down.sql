SET LOCAL lock_timeout = '3s';

DROP INDEX kb_articles_words_by;
ALTER TABLE kb_articles DROP COLUMN words_by;
CREATE OR REPLACE FUNCTION kb_words(language text, title text, tags text[], body text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    head CONSTANT tsvector := setweight(kb_words_of(language, title), 'A')
        || setweight(kb_words_of(language, array_to_string(tags, ' ')), 'B');
    words tsvector;
BEGIN
    words := head || kb_words_of(language, coalesce(body, ''));
    IF length(words) <= 20000 AND pg_column_size(words) <= 400000 THEN
        RETURN words;
    END IF;
    RETURN head || kb_words_of(language, left(body, 20000));
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN head || kb_words_of(language, left(body, 20000));
END
$$;
COMMENT ON FUNCTION kb_words IS
    'What an article is found by: title (A), tags (B), body (D). Of a body with too many different words, the beginning.';
DROP FUNCTION kb_spread(text);
DROP FUNCTION kb_bare(text);
