-- What was added between b9cfaa01 and the baseline, without functions. Nothing is rewritten.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces ADD COLUMN event_bytes_per_day bigint;
ALTER TABLE workspaces ADD CONSTRAINT workspaces_event_bytes_per_day_check CHECK (event_bytes_per_day >= 0);
ALTER TABLE request_counts ADD COLUMN event_bytes bigint NOT NULL DEFAULT 0;
CREATE INDEX request_counts_event_bytes ON request_counts (day, event_bytes DESC) WHERE event_bytes > 0;

CREATE TABLE audit_counts (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
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

CREATE TABLE event_chunks (
    workspace_id uuid NOT NULL,
    record_id uuid NOT NULL,
    month uuid NOT NULL,
    digest text COLLATE "C" NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (workspace_id, record_id, month, digest)
) PARTITION BY RANGE (month);
CREATE TABLE event_chunks_default PARTITION OF event_chunks DEFAULT;
