CREATE OR REPLACE FUNCTION kb_bare(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    -- Removes hyphens, so that co-operative, co operative and their parts find each other, and all dots except between two digits,
    -- where they are part of a number or a version.
    SELECT regexp_replace(translate(value, '<>/\@&=?#:~%+_-', '               '), '(?<![0-9])\.|\.(?![0-9])', ' ', 'g')
$$;
COMMENT ON FUNCTION kb_bare IS
    'A text or a query without the symbols from which Postgres makes tags, addresses, hosts, paths and compounds, so that
only words are left.';
REVOKE ALL ON FUNCTION kb_bare FROM PUBLIC;
