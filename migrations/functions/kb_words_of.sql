CREATE OR REPLACE FUNCTION kb_words_of(language text, value text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
    -- Both use the same tokens, so that a stem and its full form have the same position. Stop words of the language have no stem,
    -- but a form: a query of stop words alone finds it.
    SELECT coalesce(string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':'
            || array_to_string(positions, ','), ' '), '')::tsvector
    FROM (
        SELECT lexeme, positions FROM unnest(to_tsvector(('pg_catalog.' || language)::regconfig, value))
        UNION ALL
        SELECT lexeme, positions FROM unnest(to_tsvector('pg_catalog.simple', kb_fold(value)))
    ) AS both_kinds
$$;
COMMENT ON FUNCTION kb_words_of IS 'The stems of a text''s words, and the words themselves.';
REVOKE ALL ON FUNCTION kb_words_of FROM PUBLIC;
