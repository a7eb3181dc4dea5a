-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. The function is new.
SET LOCAL lock_timeout = '3s';

CREATE FUNCTION ensure_assumed(holds boolean) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    IF holds IS NOT TRUE THEN
        RAISE EXCEPTION 'an assumption does not hold';
    END IF;
    RETURN true;
END
$$;
COMMENT ON FUNCTION ensure_assumed(boolean) IS
    'Undoes a statement of several writes in which one of them was assumed to do what it did not.';
