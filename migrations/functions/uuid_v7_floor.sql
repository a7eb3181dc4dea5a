CREATE OR REPLACE FUNCTION uuid_v7_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || '\x00000000000000000000'::bytea, 'hex')::uuid
$$;
COMMENT ON FUNCTION uuid_v7_floor IS 'Not greater than any UUIDv7 made at or after the given time.';
REVOKE ALL ON FUNCTION uuid_v7_floor FROM PUBLIC;
