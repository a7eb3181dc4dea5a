CREATE OR REPLACE FUNCTION retention_clock() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT now() $$;
COMMENT ON FUNCTION retention_clock IS
    'The time that decides which months are old, whatever time a caller passes. Only the owner can replace it, as tests do.';
REVOKE ALL ON FUNCTION retention_clock FROM PUBLIC;
