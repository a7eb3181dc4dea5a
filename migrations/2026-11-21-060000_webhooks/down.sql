DROP FUNCTION enqueue_webhook_events(uuid, text[], text[], uuid[], text[], timestamptz[]);
DROP FUNCTION has_webhook_listeners(uuid, text);
DROP FUNCTION webhook_delivery_id(timestamptz, bigint);
DROP TABLE webhook_attempts;
DROP TABLE webhook_deliveries;
DROP TABLE webhook_subscriptions;
