SET LOCAL lock_timeout = '3s';

ALTER TABLE api_keys DROP COLUMN tools_used_at;
DROP TABLE demo_workspaces;
