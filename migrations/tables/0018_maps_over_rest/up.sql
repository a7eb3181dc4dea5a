-- Permission maps narrow REST as they narrow tools. A key that is here already goes on as before until somebody changes it.
--
-- The previous release can run on it: the keys that it makes are as wide over REST as it says. It cannot read a key with the preset
-- integration, which only this release makes: until all instances are of this release, make none.
SET LOCAL lock_timeout = '3s';

ALTER TABLE api_keys ADD COLUMN narrows_rest boolean NOT NULL DEFAULT false;
ALTER TABLE api_keys DROP CONSTRAINT api_keys_preset_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_preset_check
    CHECK (preset IN ('read_only', 'crm', 'projects', 'support', 'full_access', 'integration', 'agent_trial'));
COMMENT ON COLUMN api_keys.narrows_rest IS
    'Whether permissions narrow REST too. False for keys of earlier releases until they are changed.';
