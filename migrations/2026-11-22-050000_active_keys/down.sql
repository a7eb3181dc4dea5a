SET LOCAL lock_timeout = '3s';

DROP INDEX api_keys_active;
