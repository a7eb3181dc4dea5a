CREATE OR REPLACE FUNCTION audit_log_is_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    workspaces_of_gone CONSTANT uuid[] := (SELECT array_agg(DISTINCT workspace_id) FROM gone);
BEGIN
    IF EXISTS (SELECT FROM unnest(workspaces_of_gone) AS workspace (id) LEFT JOIN workspaces ON workspaces.id = workspace.id
            WHERE workspaces.erasing IS NOT TRUE) THEN
        RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION audit_log_is_erased IS 'Allows entries to be deleted only while their workspace is being erased.';
REVOKE ALL ON FUNCTION audit_log_is_erased FROM PUBLIC;
