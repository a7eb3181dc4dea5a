CREATE OR REPLACE FUNCTION uuid_v7(at timestamptz, place bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || int2send((28672 + place % 4096)::smallint) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid
$$;
COMMENT ON FUNCTION uuid_v7 IS 'A UUIDv7 whose twelve bits after the milliseconds keep the order within one statement.';
REVOKE ALL ON FUNCTION uuid_v7 FROM PUBLIC;
