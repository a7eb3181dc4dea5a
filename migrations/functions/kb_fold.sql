CREATE OR REPLACE FUNCTION kb_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN value ~ '[^\x01-\x7f]' THEN
        translate(replace(replace(replace(
            regexp_replace(normalize(lower(value), NFKD), '[\u0300-\u036f]', '', 'g'),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðı', 'olddi')
    ELSE lower(value) END
$$;
COMMENT ON FUNCTION kb_fold IS 'Lower case without accents: the form in which words are compared letter by letter.';
REVOKE ALL ON FUNCTION kb_fold FROM PUBLIC;
