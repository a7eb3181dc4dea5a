-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE idempotency_bytes (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    hour timestamptz NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    bytes bigint NOT NULL CONSTRAINT idempotency_bytes_bytes_check CHECK (bytes >= 0),
    PRIMARY KEY (workspace_id, hour, id)
) WITH (fillfactor = 50);
-- Not by workspace: it is what finds the oldest to be pruned.
CREATE INDEX idempotency_bytes_oldest ON idempotency_bytes (hour);
COMMENT ON TABLE idempotency_bytes IS
    'Bytes of the stored responses of each workspace. Several rows an hour, so that requests do not wait for each other; a row goes when the responses of its hour were pruned.';
COMMENT ON COLUMN idempotency_bytes.hour IS 'The hour in which the responses were stored.';
COMMENT ON COLUMN idempotency_bytes.bytes IS 'Changes with every stored response, on its own page: no index may have it.';
