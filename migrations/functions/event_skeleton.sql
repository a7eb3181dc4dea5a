CREATE OR REPLACE FUNCTION event_skeleton(payload text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(payload, E'^\x1a[0-9]+\x1a|\x1a[A-Za-z0-9_-]{43}', '', 'g')::json
$$;
COMMENT ON FUNCTION event_skeleton IS 'An event''s payload with its long values left empty.';
REVOKE ALL ON FUNCTION event_skeleton FROM PUBLIC;
