-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces
    ADD COLUMN erase_at timestamptz,
    ADD COLUMN erasing boolean NOT NULL DEFAULT false;
-- Nothing set this status before; who did so by hand gets the same time to think again.
UPDATE workspaces SET erase_at = now() + interval '30 days' WHERE status = 'deleted';
ALTER TABLE workspaces
    ADD CONSTRAINT workspaces_erase_at_check CHECK ((erase_at IS NOT NULL) = (status = 'deleted')),
    ADD CONSTRAINT workspaces_erasing_check CHECK (NOT erasing OR erase_at IS NOT NULL);
COMMENT ON COLUMN workspaces.erase_at IS 'When a deleted workspace is erased; until then it can be brought back.';
COMMENT ON COLUMN workspaces.erasing IS 'Whether some of it is gone, so that it cannot be brought back any more.';
-- Not by workspace: it is what finds those to be erased.
CREATE INDEX workspaces_erasing ON workspaces (erase_at) WHERE erase_at IS NOT NULL;

-- Parents and epics are cleared before their issues are erased; without these, each issue erased would look through all
-- that are left.
CREATE INDEX issues_by_parent ON issues (workspace_id, kind, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX issues_by_epic ON issues (workspace_id, kind, epic_id) WHERE epic_id IS NOT NULL;

DROP TRIGGER audit_log_stays ON audit_log;
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays();

CREATE FUNCTION audit_log_is_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM gone LEFT JOIN workspaces ON workspaces.id = gone.workspace_id
            WHERE workspaces.erasing IS NOT TRUE) THEN
        RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER audit_log_is_erased AFTER DELETE ON audit_log REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_erased();
COMMENT ON FUNCTION audit_log_is_erased() IS 'Lets entries go with their workspace, and no others.';
COMMENT ON TABLE audit_log IS
    'Administrative acts. Rows are added, never changed, and removed only when their workspace is erased; triggers see to it.';
