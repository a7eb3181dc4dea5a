-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- A workspace has at most a hundred of these, so checks are validated and rows filled in at once.
ALTER TABLE webhook_subscriptions
    ADD COLUMN next_secret_ends_at timestamptz,
    ADD COLUMN last_secret_key_id text,
    ADD COLUMN last_secret bytea,
    ADD COLUMN maker_type text CONSTRAINT webhook_subscriptions_maker_type_check
        CHECK (maker_type IN ('api_key', 'user', 'system')),
    ADD COLUMN maker_id uuid,
    ADD COLUMN maker_notice_at timestamptz,
    ADD COLUMN header_names text[],
    ADD COLUMN headers_key_id text,
    ADD COLUMN headers bytea,
    ADD COLUMN failing_told_at timestamptz,
    ADD COLUMN disabled_told_at timestamptz,
    ADD CONSTRAINT webhook_subscriptions_last_secret_check CHECK (
        num_nulls(next_secret_ends_at, last_secret_key_id, last_secret) IN (0, 3)
        AND (last_secret IS NULL OR next_secret IS NOT NULL)),
    ADD CONSTRAINT webhook_subscriptions_headers_check
        CHECK (num_nulls(header_names, headers_key_id, headers) IN (0, 3));
COMMENT ON COLUMN webhook_subscriptions.secret IS 'The oldest secret that counts; the only one but during an overlap.';
COMMENT ON COLUMN webhook_subscriptions.overlap_ends_at IS 'When secret ceases to sign, if there is a next one.';
COMMENT ON COLUMN webhook_subscriptions.next_secret_ends_at IS 'When next_secret ceases to sign, if there is a last one.';
COMMENT ON COLUMN webhook_subscriptions.last_secret IS 'The third, if it was rotated again during an overlap.';
COMMENT ON COLUMN webhook_subscriptions.maker_type IS
    'Who saved it last. Null: nobody since makers are recorded, so created_by made it.';
COMMENT ON COLUMN webhook_subscriptions.maker_notice_at IS
    'When owners are to be told that its maker has ended: the expiry of a key, or when somebody revoked or removed it. Null once they were told.';
COMMENT ON COLUMN webhook_subscriptions.header_names IS 'Names of the custom headers.';
COMMENT ON COLUMN webhook_subscriptions.headers IS 'Names and values of the custom headers, sealed for this row.';
COMMENT ON COLUMN webhook_subscriptions.failing_told_at IS
    'When owners and admins were told that it fails; holds for the run of failures that began before.';
COMMENT ON COLUMN webhook_subscriptions.disabled_told_at IS 'When they were told that the service disabled it.';

-- Nobody is told of what happened before.
UPDATE webhook_subscriptions SET disabled_told_at = now() WHERE disabled_reason IS NOT NULL;
UPDATE webhook_subscriptions SET maker_notice_at = api_keys.expires_at
    FROM api_keys
    WHERE api_keys.workspace_id = webhook_subscriptions.workspace_id AND api_keys.id = webhook_subscriptions.created_by_id
        AND webhook_subscriptions.created_by_type = 'api_key' AND revoked_at IS NULL AND expires_at > now();

-- Not by workspace: they are what finds the workspaces where somebody is to be told.
CREATE INDEX webhook_subscriptions_failing_untold ON webhook_subscriptions (failing_since)
    WHERE failing_since IS NOT NULL AND enabled AND deleted_at IS NULL
        AND (failing_told_at IS NULL OR failing_told_at < failing_since);
CREATE INDEX webhook_subscriptions_disabled_untold ON webhook_subscriptions (updated_at)
    WHERE disabled_reason IS NOT NULL AND disabled_told_at IS NULL AND deleted_at IS NULL;
CREATE INDEX webhook_subscriptions_maker_notice ON webhook_subscriptions (maker_notice_at)
    WHERE maker_notice_at IS NOT NULL AND deleted_at IS NULL;

ALTER TABLE webhook_deliveries
    ADD COLUMN redelivered_at timestamptz,
    ADD COLUMN attempts_before integer NOT NULL DEFAULT 0,
    ADD COLUMN failed_reason text;
-- Not validated: that would read the whole table under a lock, and all existing rows have the defaults.
ALTER TABLE webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_attempts_before_check
        CHECK (attempts_before >= 0 AND attempts_before <= attempts) NOT VALID,
    ADD CONSTRAINT webhook_deliveries_failed_reason_check
        CHECK (failed_reason IN ('expired', 'content_lost')) NOT VALID;
COMMENT ON COLUMN webhook_deliveries.attempts IS 'All of them, those before a redelivery too.';
COMMENT ON COLUMN webhook_deliveries.redelivered_at IS 'When somebody asked for it again last: its retries start anew from there.';
COMMENT ON COLUMN webhook_deliveries.attempts_before IS 'How many attempts came before that.';
COMMENT ON COLUMN webhook_deliveries.failed_reason IS 'Why it ended without a further attempt. Else the last attempt says why.';
COMMENT ON COLUMN webhook_deliveries.first_attempt_at IS
    'When the first attempt began that is counted, since the last redelivery.';
COMMENT ON COLUMN webhook_deliveries.redelivery_of IS
    'Of former releases, whose redeliveries were deliveries of their own.';

ALTER TABLE webhook_attempts ADD COLUMN manual boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN webhook_attempts.manual IS 'Whether it belongs to a redelivery.';
