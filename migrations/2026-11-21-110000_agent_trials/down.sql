SET LOCAL lock_timeout = '3s';

ALTER TABLE api_keys DROP CONSTRAINT api_keys_trial_check;
-- What a former version does not know, it must not take for something else: a trial would become a key without an end.
UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()), preset = NULL WHERE preset = 'agent_trial';
ALTER TABLE api_keys
    DROP CONSTRAINT api_keys_preset_check,
    DROP COLUMN trial_calls_used,
    DROP COLUMN trial_calls_limit,
    DROP COLUMN trial_tools,
    ADD CONSTRAINT api_keys_preset_check
        CHECK (preset IN ('read_only', 'crm', 'projects', 'support', 'full_access'));
