-- The audit log, which is append-only.
SET LOCAL lock_timeout = '3s';

-- Triggers need their functions to exist. The real bodies are in ../../functions.
CREATE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION audit_log_is_erased() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION audit_log_entry_stays() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';

CREATE TABLE audit_log (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    action text NOT NULL,
    actor_type text NOT NULL CHECK (actor_type IN ('api_key', 'user', 'system')),
    actor_id uuid,
    actor_name text NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    details jsonb NOT NULL CHECK (jsonb_typeof(details) = 'object'),
    ip text,
    created_at timestamptz NOT NULL,
    CONSTRAINT audit_log_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
) PARTITION BY RANGE (created_at);
CREATE INDEX audit_log_newest ON audit_log (workspace_id, created_at DESC, id DESC);
CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, created_at DESC, id DESC);
CREATE INDEX audit_log_by_actor ON audit_log (workspace_id, actor_id, created_at DESC, id DESC) WHERE actor_id IS NOT NULL;
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays();
CREATE TRIGGER audit_log_is_erased AFTER DELETE
    ON audit_log REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_erased();
CREATE TRIGGER audit_log_entry_stays BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_entry_stays();
COMMENT ON TABLE audit_log IS
    'Administrative actions. A partition holds one month. Triggers keep the log append-only: an entry changes only when a person
is erased, and is deleted only when its workspace is erased or its month has passed the operator''s retention.';
COMMENT ON COLUMN audit_log.action IS 'A code such as api_key.created. The domain defines all of them.';
COMMENT ON COLUMN audit_log.actor_name IS 'The name at the time of the action.';
COMMENT ON COLUMN audit_log.ip IS 'Client address of the request; null for the command line.';

CREATE TABLE audit_log_default PARTITION OF audit_log (PRIMARY KEY (workspace_id, id)) DEFAULT;
COMMENT ON TABLE audit_log_default IS 'Entries of months without a partition.';

CREATE TABLE audit_counts (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    hour timestamptz NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid NOT NULL,
    action text NOT NULL,
    actor_name text NOT NULL,
    entries integer NOT NULL,
    left_out bigint NOT NULL,
    PRIMARY KEY (workspace_id, hour, actor_type, actor_id, action)
) WITH (fillfactor = 50);
CREATE INDEX audit_counts_oldest ON audit_counts (hour);
CREATE INDEX audit_counts_left_out ON audit_counts (hour, workspace_id) WHERE left_out > 0;
COMMENT ON TABLE audit_counts IS 'Number of audit log entries per actor, action and hour. Deleted soon after the hour.';
COMMENT ON COLUMN audit_counts.actor_id IS 'The nil UUID for an actor without an id.';
COMMENT ON COLUMN audit_counts.actor_name IS 'The name at the time of the last entry.';
COMMENT ON COLUMN audit_counts.left_out IS
    'Actions beyond the limit, which have no entries. After the hour, one audit log entry reports how many there were.';
