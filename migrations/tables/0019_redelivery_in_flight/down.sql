SET LOCAL lock_timeout = '3s';

ALTER TABLE webhook_deliveries DROP COLUMN attempt_again;
