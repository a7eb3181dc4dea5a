SET LOCAL lock_timeout = '3s';

DROP FUNCTION ensure_assumed(boolean);
