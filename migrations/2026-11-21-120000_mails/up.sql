-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE mails (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    body_key_id text,
    body bytea,
    attempts integer NOT NULL CONSTRAINT mails_attempts_check CHECK (attempts >= 0),
    next_attempt_at timestamptz,
    lease_owner uuid,
    last_error text,
    created_at timestamptz NOT NULL,
    sent_at timestamptz,
    failed_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT mails_over_check CHECK (num_nulls(next_attempt_at, sent_at, failed_at) = 2),
    CONSTRAINT mails_body_check CHECK (num_nulls(body_key_id, body) = CASE WHEN next_attempt_at IS NULL THEN 2 ELSE 0 END),
    CONSTRAINT mails_lease_check CHECK (lease_owner IS NULL OR next_attempt_at IS NOT NULL)
);
-- The queue: each workspace's, the one due first at the head.
CREATE INDEX mails_waiting ON mails (workspace_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
-- Not by workspace: what a worker that ends has in hand is little.
CREATE INDEX mails_leased ON mails (lease_owner) WHERE lease_owner IS NOT NULL;
-- Not by workspace: it is what finds the oldest to be pruned.
CREATE INDEX mails_over ON mails (coalesce(sent_at, failed_at)) WHERE next_attempt_at IS NULL;
COMMENT ON TABLE mails IS
    'Letters: queued in the transaction of what causes them, sent by workers, and kept without their text then.';
COMMENT ON COLUMN mails.body IS
    'The text, sealed with a master key that is not here: it may hold a one-time link. Null once the letter is over.';
COMMENT ON COLUMN mails.body_key_id IS 'Which master key opens the text.';
COMMENT ON COLUMN mails.next_attempt_at IS
    'When it is due; while a worker has it in hand, when that lease is over. Null once the letter is over.';
COMMENT ON COLUMN mails.lease_owner IS 'The worker that has it in hand, or had it last when it crashed.';
