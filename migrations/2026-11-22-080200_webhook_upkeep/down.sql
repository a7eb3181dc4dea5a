SET LOCAL lock_timeout = '3s';

ALTER TABLE webhook_attempts DROP COLUMN manual;
COMMENT ON COLUMN webhook_deliveries.attempts IS NULL;
COMMENT ON COLUMN webhook_deliveries.first_attempt_at IS 'When the first attempt began that is counted.';
COMMENT ON COLUMN webhook_deliveries.redelivery_of IS 'No reference: what it repeats is pruned before it.';
ALTER TABLE webhook_deliveries DROP COLUMN redelivered_at, DROP COLUMN attempts_before, DROP COLUMN failed_reason;

-- The former release knows two secrets: the newest one stays.
UPDATE webhook_subscriptions SET next_secret_key_id = last_secret_key_id, next_secret = last_secret
    WHERE last_secret IS NOT NULL;
ALTER TABLE webhook_subscriptions
    DROP COLUMN next_secret_ends_at, DROP COLUMN last_secret_key_id, DROP COLUMN last_secret,
    DROP COLUMN maker_type, DROP COLUMN maker_id, DROP COLUMN maker_notice_at,
    DROP COLUMN header_names, DROP COLUMN headers_key_id, DROP COLUMN headers,
    DROP COLUMN failing_told_at, DROP COLUMN disabled_told_at;
COMMENT ON COLUMN webhook_subscriptions.secret IS NULL;
COMMENT ON COLUMN webhook_subscriptions.overlap_ends_at IS NULL;
