SET LOCAL lock_timeout = '3s';

DROP TRIGGER audit_log_entry_stays ON audit_log;
CREATE OR REPLACE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON TABLE audit_log IS
    'Administrative acts. Rows are added, never changed, and removed only when their workspace is erased; triggers see to it.';
DROP FUNCTION audit_log_entry_stays();
DROP FUNCTION erase_from_audit_log(uuid, uuid, uuid, bigint);
DROP FUNCTION erased_audit_details(jsonb, text);
DROP FUNCTION person_pattern(text[], text[]);
ALTER TABLE mails DROP COLUMN purpose;
ALTER TABLE webhook_deliveries DROP COLUMN erased;
DROP INDEX contacts_deleted_by_email;
DROP TABLE person_erasure_records;
DROP TABLE person_erasures;
