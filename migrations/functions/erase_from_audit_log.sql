CREATE OR REPLACE FUNCTION erase_from_audit_log(
    of_workspace uuid, of_erasure uuid, behind uuid, most bigint, OUT erased bigint, OUT last uuid
) LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    pattern CONSTANT text := (SELECT person_pattern(emails, names) FROM person_erasures
        WHERE workspace_id = of_workspace AND id = of_erasure AND finished_at IS NULL);
    page uuid[];
BEGIN
    erased := 0;
    page := ARRAY(SELECT id FROM audit_log WHERE workspace_id = of_workspace AND id > behind ORDER BY id LIMIT most);
    last := page[cardinality(page)];
    IF pattern IS NOT NULL THEN
        PERFORM set_config('audit_log.erasure', of_erasure::text, true);
        UPDATE audit_log SET details = erased_audit_details(details, pattern)
            WHERE workspace_id = of_workspace AND id = ANY (page) AND details <> erased_audit_details(details, pattern);
        GET DIAGNOSTICS erased = ROW_COUNT;
        PERFORM set_config('audit_log.erasure', '', true);
    END IF;
END
$$;
COMMENT ON FUNCTION erase_from_audit_log IS
    'Removes what an unfinished erasure looks for from the next entries of the audit log. Returns the number of changed entries
and the last entry examined, or null at the end.';
-- A function that runs with its owner's rights must find only its own tables, whatever the caller's search path.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION erase_from_audit_log SET search_path = %I, pg_temp', current_schema());
END
$$;
REVOKE ALL ON FUNCTION erase_from_audit_log FROM PUBLIC;
