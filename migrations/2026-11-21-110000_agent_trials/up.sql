-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Keys are few.
SET LOCAL lock_timeout = '3s';

ALTER TABLE api_keys
    ADD COLUMN trial_tools text[],
    ADD COLUMN trial_calls_limit bigint CONSTRAINT api_keys_trial_calls_limit_check CHECK (trial_calls_limit >= 1),
    ADD COLUMN trial_calls_used bigint CONSTRAINT api_keys_trial_calls_used_check
        CHECK (trial_calls_used BETWEEN 0 AND trial_calls_limit),
    DROP CONSTRAINT api_keys_preset_check,
    ADD CONSTRAINT api_keys_preset_check
        CHECK (preset IN ('read_only', 'crm', 'projects', 'support', 'full_access', 'agent_trial')),
    ADD CONSTRAINT api_keys_trial_check CHECK (
        num_nonnulls(trial_tools, trial_calls_limit, trial_calls_used) = CASE WHEN preset = 'agent_trial' THEN 3 ELSE 0 END
        AND (preset IS DISTINCT FROM 'agent_trial' OR expires_at IS NOT NULL)
    );
COMMENT ON COLUMN api_keys.trial_tools IS 'The tools of a trial; null for all other keys.';
COMMENT ON COLUMN api_keys.trial_calls_used IS 'Rises with each call of a tool, up to the limit.';
