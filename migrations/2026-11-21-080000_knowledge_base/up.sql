-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces ADD COLUMN kb_language text NOT NULL DEFAULT 'english' CONSTRAINT workspaces_kb_language_check
    CHECK (kb_language IN ('simple', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish',
        'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali',
        'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish', 'yiddish'));
COMMENT ON COLUMN workspaces.kb_language IS
    'The text search configuration of its articles: one that every Postgres from 14 on comes with.';

CREATE FUNCTION kb_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN value ~ '[^\x01-\x7f]' THEN
        translate(replace(replace(replace(
            regexp_replace(normalize(lower(value), NFKD), '[\u0300-\u036f]', '', 'g'),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðı', 'olddi')
    ELSE lower(value) END
$$;
COMMENT ON FUNCTION kb_fold IS 'Lower case without accents: the form in which words are compared letter by letter.';

CREATE FUNCTION kb_words_of(language text, value text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
    -- Both see the same tokens, so that a stem and its form stand at the same place.
    SELECT coalesce(string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':'
            || array_to_string(positions, ','), ' '), '')::tsvector
    FROM (
        SELECT lexeme, positions FROM unnest(to_tsvector(('pg_catalog.' || language)::regconfig, value))
        UNION ALL
        -- What the language leaves out as too common is left out in its form too.
        SELECT lexeme, positions FROM unnest(to_tsvector('pg_catalog.simple', kb_fold(value)))
            WHERE ts_lexize((CASE language WHEN 'simple' THEN 'pg_catalog.simple'
                ELSE 'pg_catalog.' || language || '_stem' END)::regdictionary, lexeme) IS DISTINCT FROM '{}'
    ) AS both_kinds
$$;
COMMENT ON FUNCTION kb_words_of IS 'The stems of a text''s words, and the words as they stand.';

CREATE FUNCTION kb_words(language text, title text, tags text[], body text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
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

CREATE FUNCTION kb_lexemes(of_workspace uuid, words tsvector) RETURNS tsvector LANGUAGE sql IMMUTABLE COST 1000 AS $$
    SELECT array_to_tsvector(array_agg(right(of_workspace::text, 8) || place || left(lexeme, 64)))
    FROM unnest(words) AS word CROSS JOIN LATERAL unnest(
        CASE WHEN word.weights && ARRAY['A', 'B'] THEN ARRAY['t', 'w'] ELSE ARRAY['w'] END) AS place
$$;
COMMENT ON FUNCTION kb_lexemes IS
    'Words for the index, each after the workspace and a letter: w for all, t once more for those of title and tags.';

CREATE TABLE kb_articles (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    title text NOT NULL,
    slug text NOT NULL,
    body text,
    status text NOT NULL CONSTRAINT kb_articles_status_check CHECK (status IN ('draft', 'published')),
    tags text[] NOT NULL,
    published_at timestamptz,
    version bigint NOT NULL CONSTRAINT kb_articles_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CONSTRAINT kb_articles_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    words tsvector NOT NULL,
    PRIMARY KEY (workspace_id, id)
-- A search looks at the words of many and at the bodies of few: bodies make room for words, which stay as they are where
-- they fit into a page.
) WITH (toast_tuple_target = 8160);
ALTER TABLE kb_articles ALTER COLUMN words SET STORAGE MAIN;
CREATE UNIQUE INDEX kb_articles_slug_key ON kb_articles (workspace_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX kb_articles_newest ON kb_articles (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX kb_articles_by_status ON kb_articles (workspace_id, status, created_at DESC, id DESC)
    WHERE deleted_at IS NULL;
-- The head of every search, however many drafts are newer.
CREATE INDEX kb_articles_published ON kb_articles (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND status = 'published';
CREATE INDEX kb_articles_search ON kb_articles USING gin (kb_lexemes(workspace_id, words)) WITH (fastupdate = off)
    WHERE deleted_at IS NULL AND status = 'published';
COMMENT ON TABLE kb_articles IS 'The knowledge base. Published articles can be searched by anybody with a key for it.';
COMMENT ON COLUMN kb_articles.slug IS 'Its name in addresses.';
COMMENT ON COLUMN kb_articles.body IS 'Markdown.';
COMMENT ON COLUMN kb_articles.published_at IS 'Since when it is published; null for a draft.';
COMMENT ON COLUMN kb_articles.words IS 'Of kb_words, in the language of the workspace.';
