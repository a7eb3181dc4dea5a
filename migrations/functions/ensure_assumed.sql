CREATE OR REPLACE FUNCTION ensure_assumed(holds boolean) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    IF holds IS NOT TRUE THEN
        RAISE EXCEPTION 'an assumption does not hold';
    END IF;
    RETURN true;
END
$$;
COMMENT ON FUNCTION ensure_assumed IS
    'Rolls back a statement with several writes if one of them did not do what the statement assumes.';
REVOKE ALL ON FUNCTION ensure_assumed FROM PUBLIC;
