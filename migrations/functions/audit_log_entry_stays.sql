CREATE OR REPLACE FUNCTION audit_log_entry_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details' AND EXISTS (
        SELECT FROM person_erasures WHERE workspace_id = OLD.workspace_id AND finished_at IS NULL
            AND (TG_TABLE_NAME ~ '_[0-9]{6,}$' OR id::text = current_setting('audit_log.erasure', true))
            AND NEW.details = erased_audit_details(OLD.details, person_pattern(emails, names))
    ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION audit_log_entry_stays IS
    'Rejects every change of an entry, except by erase_from_audit_log for an unfinished erasure.';
REVOKE ALL ON FUNCTION audit_log_entry_stays FROM PUBLIC;
