-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- The audit log by action and by actor, newest first. The service itself has no id: nobody looks for its entries by one.
CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, created_at DESC, id DESC);
CREATE INDEX audit_log_by_actor ON audit_log (workspace_id, actor_id, created_at DESC, id DESC)
    WHERE actor_id IS NOT NULL;
