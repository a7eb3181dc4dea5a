SET LOCAL lock_timeout = '3s';

DROP TABLE webhook_backlog;
DROP TABLE webhook_attempts;
DROP TABLE webhook_deliveries;
DROP TABLE webhook_replays;
DROP TABLE webhook_subscriptions;
