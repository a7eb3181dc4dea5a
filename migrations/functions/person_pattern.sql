CREATE OR REPLACE FUNCTION person_pattern(emails text[], names text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    -- Special characters are escaped. Parts of longer words or addresses do not match: "." and "-" belong to an address
    -- unless they end a sentence.
    SELECT string_agg(CASE WHEN is_email
            THEN '(?<![[:alnum:]_%+][.@-]?)' || escaped || '(?![.@-]?[[:alnum:]_%+])'
            ELSE '(?<![[:alnum:]])' || escaped || '(?![[:alnum:]])' END, '|' ORDER BY length(escaped) DESC)
    FROM (
        SELECT true AS is_email, regexp_replace(email, '([^[:alnum:][:space:]])', '\\\1', 'g') AS escaped
        FROM unnest(emails) AS email
        UNION ALL
        SELECT false, regexp_replace(name, '([^[:alnum:][:space:]])', '\\\1', 'g') FROM unnest(names) AS name
    ) AS wanted
$$;
COMMENT ON FUNCTION person_pattern IS
    'A regular expression that matches a person''s addresses and names; null if there are none.
The domain''s Redaction has the same rule.';
REVOKE ALL ON FUNCTION person_pattern FROM PUBLIC;
