-- Stored responses for idempotent requests, and the progress of file imports.
SET LOCAL lock_timeout = '3s';

CREATE TABLE idempotency_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    credential_id uuid NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    status smallint NOT NULL,
    location text,
    body text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, credential_id, route, key)
);
CREATE INDEX idempotency_keys_oldest ON idempotency_keys (created_at);
COMMENT ON TABLE idempotency_keys IS
    'Responses kept for a day, written in the transaction of the request. Pruned by age, across workspaces.';
COMMENT ON COLUMN idempotency_keys.route IS 'Method and path pattern.';
COMMENT ON COLUMN idempotency_keys.fingerprint IS 'SHA-256 of the request, which detects a different request with the same key.';

CREATE TABLE idempotency_bytes (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    hour timestamptz NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    bytes bigint NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (workspace_id, hour, id)
) WITH (fillfactor = 50);
CREATE INDEX idempotency_bytes_oldest ON idempotency_bytes (hour);
COMMENT ON TABLE idempotency_bytes IS
    'Bytes of stored responses per workspace and hour. Several rows per hour, so that requests do not wait for each other.
A row is deleted when the responses of its hour have been pruned.';
COMMENT ON COLUMN idempotency_bytes.hour IS 'The hour in which the responses were stored.';
COMMENT ON COLUMN idempotency_bytes.bytes IS
    'Changes with every stored response. Must not be indexed, so that the update stays on its page.';

CREATE TABLE imports (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
    kind text NOT NULL CHECK (kind IN ('companies', 'contacts', 'deals', 'projects', 'tasks', 'tickets', 'articles')),
    created bigint NOT NULL,
    updated bigint NOT NULL,
    unchanged bigint NOT NULL,
    skipped bigint NOT NULL,
    refused bigint NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (workspace_id, digest)
);
CREATE INDEX imports_oldest ON imports (workspace_id, started_at);
COMMENT ON TABLE imports IS
    'Progress of file imports, so that an interrupted one can resume. Written with each batch of rows, kept for 90 days.';
COMMENT ON COLUMN imports.digest IS 'SHA-256 of the file and of what to do with it.';
COMMENT ON COLUMN imports.created IS 'Rows that created a record. All counts added up are the rows read so far.';

CREATE TABLE import_refusals (
    workspace_id uuid NOT NULL,
    digest text NOT NULL,
    row_number bigint NOT NULL CHECK (row_number >= 1),
    reason text NOT NULL CHECK (char_length(reason) >= 1 AND char_length(reason) <= 1000),
    PRIMARY KEY (workspace_id, digest, row_number),
    FOREIGN KEY (workspace_id, digest) REFERENCES imports(workspace_id, digest)
);
COMMENT ON TABLE import_refusals IS
    'Refused rows of unfinished imports, without their content. The report is written from them and the file.';
