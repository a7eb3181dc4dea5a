SET LOCAL lock_timeout = '3s';

DROP INDEX api_keys_by_creator;
ALTER TABLE sessions DROP COLUMN user_agent, DROP COLUMN address, DROP COLUMN last_used_at;
