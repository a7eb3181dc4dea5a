SET LOCAL lock_timeout = '3s';

DROP TABLE console_undos;
