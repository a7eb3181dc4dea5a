CREATE OR REPLACE FUNCTION kb_words(language text, title text, tags text[], body text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    head CONSTANT tsvector := setweight(kb_words_of(language, kb_spread(title)), 'A')
        || setweight(kb_words_of(language, kb_spread(array_to_string(tags, ' '))), 'B');
    words tsvector;
BEGIN
    words := head || kb_words_of(language, kb_spread(coalesce(body, '')));
    IF length(words) <= 20000 AND pg_column_size(words) <= 400000 THEN
        RETURN words;
    END IF;
    RETURN head || kb_words_of(language, kb_spread(left(body, 20000)));
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN head || kb_words_of(language, kb_spread(left(body, 20000)));
END
$$;
COMMENT ON FUNCTION kb_words IS
    'The words that find an article: title (A), tags (B) and body text (D). If a body has too many different words,
only its beginning is indexed.';
REVOKE ALL ON FUNCTION kb_words FROM PUBLIC;
