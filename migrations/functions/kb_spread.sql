CREATE OR REPLACE FUNCTION kb_spread(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(kb_bare(value), '([[:alpha:]]+)([0-9]+(?:\.[0-9]+)+[[:alnum:]]*)', '\1\2 \1 \2', 'g')
$$;
COMMENT ON FUNCTION kb_spread IS 'A text as it is indexed: v1.2 can be found as it is, by v and by 1.2.';
REVOKE ALL ON FUNCTION kb_spread FROM PUBLIC;
