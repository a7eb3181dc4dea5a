SET LOCAL lock_timeout = '3s';

DROP INDEX audit_log_by_actor;
DROP INDEX audit_log_by_action;
