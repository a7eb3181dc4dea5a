-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE idempotency_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    credential_id uuid NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL CONSTRAINT idempotency_keys_fingerprint_check CHECK (octet_length(fingerprint) = 32),
    status smallint NOT NULL,
    location text,
    body text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, credential_id, route, key)
);
CREATE INDEX idempotency_keys_oldest ON idempotency_keys (created_at);
COMMENT ON TABLE idempotency_keys IS
    'Answers kept for a day, written in the transaction of what they answer. Pruned by age, across workspaces.';
COMMENT ON COLUMN idempotency_keys.route IS 'Method and pattern.';
COMMENT ON COLUMN idempotency_keys.fingerprint IS 'SHA-256 that tells one request from another.';
