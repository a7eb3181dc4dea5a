SET LOCAL lock_timeout = '3s';

DROP TABLE import_refusals;
DROP TABLE imports;
DROP TABLE idempotency_bytes;
DROP TABLE idempotency_keys;
