-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces
    ADD COLUMN emails_per_hour bigint
        CONSTRAINT workspaces_emails_per_hour_check CHECK (emails_per_hour >= 0);
COMMENT ON COLUMN workspaces.emails_per_hour IS 'Null: as the plan says.';

CREATE TABLE mail_hours (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    hour timestamptz NOT NULL,
    mails bigint NOT NULL CONSTRAINT mail_hours_mails_check CHECK (mails >= 0),
    PRIMARY KEY (workspace_id, hour)
) WITH (fillfactor = 50);
-- Not by workspace: it is what finds the oldest to be pruned.
CREATE INDEX mail_hours_oldest ON mail_hours (hour);
COMMENT ON TABLE mail_hours IS 'E-mails that a workspace caused in an hour, those to its own members'' accounts excepted.';
COMMENT ON COLUMN mail_hours.mails IS 'May exceed the limit by the last statement''s e-mails, which were not queued then.';

CREATE TABLE mail_recipients (
    recipient bytea NOT NULL CONSTRAINT mail_recipients_recipient_check CHECK (octet_length(recipient) = 32),
    purpose text NOT NULL,
    since timestamptz NOT NULL,
    mails bigint NOT NULL CONSTRAINT mail_recipients_mails_check CHECK (mails >= 0),
    PRIMARY KEY (recipient, purpose, since)
) WITH (fillfactor = 50);
CREATE INDEX mail_recipients_oldest ON mail_recipients (since);
COMMENT ON TABLE mail_recipients IS
    'E-mails to one address, counted over all workspaces: together they could flood a mailbox that none floods alone. So no workspace is in it.';
COMMENT ON COLUMN mail_recipients.recipient IS 'SHA-256 of the mailbox: the address in lower case, without a tag after a plus sign.';
COMMENT ON COLUMN mail_recipients.purpose IS 'Each has a bound of its own, so that answers to tickets cannot use up that of password resets.';
COMMENT ON COLUMN mail_recipients.since IS 'Start of the hour or the day, by the purpose.';

ALTER TABLE mails
    ADD COLUMN batch uuid,
    ADD COLUMN batch_bytes bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT mails_batch_check CHECK (batch IS NULL OR next_attempt_at IS NOT NULL);
-- One open e-mail of a ticket, which further comments are added to.
CREATE UNIQUE INDEX mails_open_batch ON mails (workspace_id, batch) WHERE batch IS NOT NULL;
COMMENT ON COLUMN mails.batch IS 'The ticket whose comments are added to this e-mail; null once a worker has claimed it.';
COMMENT ON COLUMN mails.batch_bytes IS 'Size of the texts that were to be added; beyond a bound they are left out.';

CREATE TABLE mail_parts (
    workspace_id uuid NOT NULL,
    mail_id uuid NOT NULL,
    id uuid NOT NULL,
    body_key_id text NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (workspace_id, mail_id, id),
    CONSTRAINT mail_parts_mail_fkey FOREIGN KEY (workspace_id, mail_id) REFERENCES mails (workspace_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE mail_parts IS 'Texts of a queued e-mail that come before its own text, in the order of their ids. Deleted once it is over.';
COMMENT ON COLUMN mail_parts.body IS 'Sealed like the text of the e-mail.';
