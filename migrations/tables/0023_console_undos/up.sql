-- What takes changes made in the console back. The previous release can run on it: it leaves the table alone.
SET LOCAL lock_timeout = '3s';

CREATE TABLE console_undos (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('contact', 'company', 'deal', 'project', 'cycle', 'task', 'ticket', 'article')),
    made_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    entries jsonb NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX console_undos_of_user ON console_undos (workspace_id, user_id, made_at, id);
CREATE INDEX console_undos_expired ON console_undos (expires_at);
COMMENT ON TABLE console_undos IS 'Former values of records changed in the console: at most 10 per user, for 24 hours.';
COMMENT ON COLUMN console_undos.user_id IS 'Who changed the records. No foreign key: a row is found only by its user, and expires soon.';
COMMENT ON COLUMN console_undos.entries IS
    'For each record its id, its version after the change, and the former values; empty once they were put back.';
