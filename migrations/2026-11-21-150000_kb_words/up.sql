-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE FUNCTION kb_bare(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    -- Of the dots and hyphens beside digits a dot between two of them stays: it makes a number or a version.
    SELECT regexp_replace(translate(value, '<>/\@&=?#:~%+_', '              '),
        '(?<![0-9])\.|\.(?![0-9])|(?<=[0-9])-|-(?=[0-9])', ' ', 'g')
$$;
COMMENT ON FUNCTION kb_bare IS
    'A text, or what is asked for, without the signs of which Postgres makes tags, addresses, hosts and paths: only words are left.';

CREATE FUNCTION kb_spread(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(kb_bare(value), '([[:alpha:]]+)([0-9]+(?:\.[0-9]+)+[[:alnum:]]*)', '\1\2 \1 \2', 'g')
$$;
COMMENT ON FUNCTION kb_spread IS 'A text as it is indexed: v1.2 is found as it stands, by v and by 1.2.';

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
    'What an article is found by: title (A), tags (B), the text of its body (D). Of a body with too many different words, the beginning.';

-- What is there is made anew beside the requests; a constant writes no row.
ALTER TABLE kb_articles ADD COLUMN words_by text NOT NULL DEFAULT '1';
CREATE INDEX kb_articles_words_by ON kb_articles (workspace_id, words_by) WHERE deleted_at IS NULL;
COMMENT ON COLUMN kb_articles.words_by IS
    'How words was made: the number of the way and the language. What differs from the workspace''s is made anew.';
