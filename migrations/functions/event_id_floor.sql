CREATE OR REPLACE FUNCTION event_id_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM greatest(at, 'epoch')) * 1000)::bigint) FROM 3)
        || int2send((28672 + extract(microseconds FROM greatest(at, 'epoch'))::bigint % 1000 * 4)::smallint)
        || '\x0000000000000000'::bytea, 'hex')::uuid
$$;
COMMENT ON FUNCTION event_id_floor IS 'Not greater than the id of any event made at or after the given time.';
REVOKE ALL ON FUNCTION event_id_floor FROM PUBLIC;
