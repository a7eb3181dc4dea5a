SET LOCAL lock_timeout = '3s';

-- A key of this preset goes on with the same scopes and permissions.
UPDATE api_keys SET preset = NULL WHERE preset = 'integration';
ALTER TABLE api_keys DROP CONSTRAINT api_keys_preset_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_preset_check
    CHECK (preset IN ('read_only', 'crm', 'projects', 'support', 'full_access', 'agent_trial'));
ALTER TABLE api_keys DROP COLUMN narrows_rest;
