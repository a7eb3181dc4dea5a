-- Redeliveries that are requested while an attempt is in flight. A constant default rewrites no row, and the previous release, which does not
-- name the column, runs on it: it leaves such a delivery as it is.
SET LOCAL lock_timeout = '3s';

ALTER TABLE webhook_deliveries ADD COLUMN attempt_again boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN webhook_deliveries.attempt_again IS
    'Whether a redelivery was requested during an attempt. Another attempt follows, with retries of its own; its claim resets this.';
