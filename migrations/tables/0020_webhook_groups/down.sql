SET LOCAL lock_timeout = '3s';

ALTER TABLE webhook_subscriptions DROP COLUMN group_id;
