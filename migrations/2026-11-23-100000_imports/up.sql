-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE imports (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    digest text NOT NULL CONSTRAINT imports_digest_check CHECK (digest ~ '^[0-9a-f]{64}$'),
    kind text NOT NULL CONSTRAINT imports_kind_check
        CHECK (kind IN ('companies', 'contacts', 'deals', 'projects', 'tasks', 'tickets', 'articles')),
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
    'How far imports of files have come, so that one that was killed goes on; written with each batch of rows, kept for 90 days.';
COMMENT ON COLUMN imports.digest IS 'SHA-256 of the file and of what is to be done with it.';
COMMENT ON COLUMN imports.created IS 'Rows that created a record. All counts together are the rows read so far.';

CREATE TABLE import_refusals (
    workspace_id uuid NOT NULL,
    digest text NOT NULL,
    row_number bigint NOT NULL CONSTRAINT import_refusals_row_number_check CHECK (row_number >= 1),
    reason text NOT NULL CONSTRAINT import_refusals_reason_check CHECK (char_length(reason) BETWEEN 1 AND 1000),
    PRIMARY KEY (workspace_id, digest, row_number),
    FOREIGN KEY (workspace_id, digest) REFERENCES imports (workspace_id, digest)
);
COMMENT ON TABLE import_refusals IS
    'Rows of unfinished imports that were refused, without what they say: the report is written from them and the file.';
