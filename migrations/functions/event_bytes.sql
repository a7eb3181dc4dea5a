CREATE OR REPLACE FUNCTION event_bytes(payload text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    -- Reads only the head, so that data stored out of line is not fetched.
    SELECT CASE WHEN left(payload, 1) = E'\x1a' THEN split_part(left(payload, 24), E'\x1a', 2)::bigint ELSE octet_length(payload) END
$$;
COMMENT ON FUNCTION event_bytes IS 'The length of an event''s payload as clients see it.';
REVOKE ALL ON FUNCTION event_bytes FROM PUBLIC;
