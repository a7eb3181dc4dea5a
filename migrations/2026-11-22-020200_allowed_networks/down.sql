SET LOCAL lock_timeout = '3s';

ALTER TABLE api_keys DROP COLUMN allowed_networks;
ALTER TABLE workspaces DROP COLUMN allowed_networks;
