-- Tasks and cycles whose deletion or restoration with their project is not in the event log yet. The previous release can run on it: it leaves
-- the table as it is, so that what it deletes and restores itself has no events of its own, as before.
SET LOCAL lock_timeout = '3s';

CREATE TABLE cascades (
    workspace_id uuid NOT NULL,
    project_id uuid NOT NULL,
    project_version bigint NOT NULL,
    record_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('cycle', 'task')),
    version bigint NOT NULL,
    verb text NOT NULL CHECK (verb IN ('deleted', 'restored')),
    PRIMARY KEY (workspace_id, project_id, project_version, record_id, kind)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE cascades IS
    'Records that were deleted or restored with their project and whose events are still to be appended. A row is added for each record, so
no foreign key is checked.';
COMMENT ON COLUMN cascades.project_version IS 'Version of the project''s own event.';
COMMENT ON COLUMN cascades.version IS 'Version of the record since.';
COMMENT ON COLUMN cascades.verb IS 'What happened to the project, and so to the record.';
