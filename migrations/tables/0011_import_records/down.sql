SET LOCAL lock_timeout = '3s';

DROP TABLE import_records;
