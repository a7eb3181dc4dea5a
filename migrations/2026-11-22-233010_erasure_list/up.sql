-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. The table is small.
SET LOCAL lock_timeout = '3s';

CREATE INDEX person_erasures_newest ON person_erasures (workspace_id, created_at DESC, id DESC);
