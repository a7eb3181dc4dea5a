SET LOCAL lock_timeout = '3s';

DROP FUNCTION queue_webhook_replay(uuid, uuid, timestamptz, bigint, bigint, bigint);
DROP INDEX webhook_deliveries_to_replay;
ALTER TABLE webhook_deliveries DROP COLUMN replay_id;
DROP TABLE webhook_replays;
