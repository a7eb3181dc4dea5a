CREATE OR REPLACE FUNCTION event_id(at timestamptz, place bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || int2send((28672 + extract(microseconds FROM at)::bigint % 1000 * 4)::smallint)
        || int2send((-32768 + place % 16384)::smallint) || substring(uuid_send(gen_random_uuid()) FROM 11), 'hex')::uuid
$$;
COMMENT ON FUNCTION event_id IS 'A UUIDv7 with the microseconds after the milliseconds, followed by the place in its statement.';
REVOKE ALL ON FUNCTION event_id FROM PUBLIC;
