-- The e-mail queue, and the counts that limit it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE mails (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    body_key_id text,
    body bytea,
    attempts integer NOT NULL CHECK (attempts >= 0),
    next_attempt_at timestamptz,
    lease_owner uuid,
    last_error text,
    created_at timestamptz NOT NULL,
    sent_at timestamptz,
    failed_at timestamptz,
    batch uuid,
    batch_bytes bigint NOT NULL DEFAULT 0,
    subject_of_many text,
    purpose text,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT mails_batch_check CHECK (batch IS NULL OR next_attempt_at IS NOT NULL),
    CONSTRAINT mails_body_check CHECK (num_nulls(body_key_id, body) = CASE WHEN (next_attempt_at IS NULL) THEN 2 ELSE 0 END),
    CONSTRAINT mails_lease_check CHECK (lease_owner IS NULL OR next_attempt_at IS NOT NULL),
    CONSTRAINT mails_over_check CHECK (num_nulls(next_attempt_at, sent_at, failed_at) = 2)
);
CREATE INDEX mails_waiting ON mails (workspace_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX mails_leased ON mails (lease_owner) WHERE lease_owner IS NOT NULL;
CREATE INDEX mails_over ON mails (COALESCE(sent_at, failed_at)) WHERE next_attempt_at IS NULL;
CREATE INDEX mails_newest
    ON mails (workspace_id,
        ( CASE WHEN (next_attempt_at IS NOT NULL) THEN 'waiting' WHEN (sent_at IS NOT NULL) THEN 'sent' ELSE 'failed' END),
        created_at DESC, id DESC);
CREATE INDEX mails_newest_of_all
    ON mails (( CASE WHEN (next_attempt_at IS NOT NULL) THEN 'waiting' WHEN (sent_at IS NOT NULL) THEN 'sent' ELSE 'failed' END),
        created_at DESC, id DESC);
CREATE UNIQUE INDEX mails_open_batch ON mails (workspace_id, batch) WHERE batch IS NOT NULL;
COMMENT ON TABLE mails IS 'E-mails: queued in the transaction that causes them, sent by workers, then kept without their text.';
COMMENT ON COLUMN mails.body_key_id IS 'The master key that sealed the text.';
COMMENT ON COLUMN mails.body IS
    'The text, sealed with a master key that is not in the database, because it may contain a one-time link.
Null once the e-mail was sent or has failed.';
COMMENT ON COLUMN mails.next_attempt_at IS
    'When it is due or, while a worker is sending it, when the lease expires. Null once it was sent or has failed.';
COMMENT ON COLUMN mails.lease_owner IS 'The worker that is sending it, or that was sending it when it crashed.';
COMMENT ON COLUMN mails.batch IS
    'The ticket or member whose further texts are added to this e-mail. Null once a worker has claimed it.';
COMMENT ON COLUMN mails.batch_bytes IS 'Size of all texts that were to be added. Texts beyond a limit are left out.';
COMMENT ON COLUMN mails.subject_of_many IS 'The subject if several texts were added; null: the same subject.';
COMMENT ON COLUMN mails.purpose IS
    'Why it is sent. The erasure of a customer does not touch e-mails to members and invited people.
Null: queued before this column existed.';

CREATE TABLE mail_parts (
    workspace_id uuid NOT NULL,
    mail_id uuid NOT NULL,
    id uuid NOT NULL,
    body_key_id text NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (workspace_id, mail_id, id),
    CONSTRAINT mail_parts_mail_fkey FOREIGN KEY (workspace_id, mail_id) REFERENCES mails(workspace_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE mail_parts IS
    'Texts that precede the main text of a queued e-mail, ordered by id. Deleted once the e-mail was sent or has failed.';
COMMENT ON COLUMN mail_parts.body IS 'Sealed like the text of the e-mail.';

CREATE TABLE mail_hours (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    hour timestamptz NOT NULL,
    mails bigint NOT NULL CHECK (mails >= 0),
    PRIMARY KEY (workspace_id, hour)
) WITH (fillfactor = 50);
CREATE INDEX mail_hours_oldest ON mail_hours (hour);
COMMENT ON TABLE mail_hours IS
    'E-mails per hour that count against the limit of the workspace: those about accounts, attacks and webhooks do not.';
COMMENT ON COLUMN mail_hours.mails IS 'May exceed the limit by the e-mails of the last statement, which were then not queued.';

CREATE TABLE mail_recipients (
    recipient bytea NOT NULL CHECK (octet_length(recipient) = 32),
    purpose text NOT NULL,
    since timestamptz NOT NULL,
    mails bigint NOT NULL CHECK (mails >= 0),
    PRIMARY KEY (recipient, purpose, since)
) WITH (fillfactor = 50);
CREATE INDEX mail_recipients_oldest ON mail_recipients (since);
COMMENT ON TABLE mail_recipients IS
    'E-mails to one mailbox, counted across all workspaces, which together could flood it even if none of them does alone.
That is why there is no workspace_id.';
COMMENT ON COLUMN mail_recipients.recipient IS 'SHA-256 of the mailbox: the address in lower case, without a tag after a plus sign.';
COMMENT ON COLUMN mail_recipients.purpose IS
    'Each purpose has its own limit, so that replies to tickets cannot use up the limit for password resets.';
COMMENT ON COLUMN mail_recipients.since IS 'Start of the hour or day, depending on the purpose.';
