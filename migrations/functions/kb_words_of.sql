CREATE OR REPLACE FUNCTION kb_words_of(language text, value text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
    -- Both use the same tokens, so that a stem and its full form have the same position.
    SELECT coalesce(string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':'
            || array_to_string(positions, ','), ' '), '')::tsvector
    FROM (
        SELECT lexeme, positions FROM unnest(to_tsvector(('pg_catalog.' || language)::regconfig, value))
        UNION ALL
        -- Stop words of the language are left out in their full form too.
        SELECT lexeme, positions FROM unnest(to_tsvector('pg_catalog.simple', kb_fold(value)))
            WHERE ts_lexize((CASE language WHEN 'simple' THEN 'pg_catalog.simple'
                ELSE 'pg_catalog.' || language || '_stem' END)::regdictionary, lexeme) IS DISTINCT FROM '{}'
    ) AS both_kinds
$$;
COMMENT ON FUNCTION kb_words_of IS 'The stems of a text''s words, and the words themselves.';
REVOKE ALL ON FUNCTION kb_words_of FROM PUBLIC;
