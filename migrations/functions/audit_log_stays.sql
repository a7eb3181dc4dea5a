CREATE OR REPLACE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Updates of erase_from_audit_log pass; audit_log_entry_stays checks each row.
    -- Citus does not send transaction settings to shards, so rows there are checked against all unfinished erasures.
    IF TG_OP = 'UPDATE' AND TG_TABLE_NAME ~ '_[0-9]{6,}$' THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND coalesce(current_setting('audit_log.erasure', true), '') <> '' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION audit_log_stays IS 'Rejects TRUNCATE, and UPDATE except for erasures.';
REVOKE ALL ON FUNCTION audit_log_stays FROM PUBLIC;
