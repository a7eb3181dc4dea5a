SET LOCAL lock_timeout = '3s';

DROP FUNCTION record_history;
