-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Columns without a
-- default rewrite nothing, and keys are a small table.
SET LOCAL lock_timeout = '3s';

ALTER TABLE sessions
    ADD COLUMN user_agent text CONSTRAINT sessions_user_agent_check CHECK (char_length(user_agent) <= 300),
    ADD COLUMN address text CONSTRAINT sessions_address_check CHECK (char_length(address) <= 45),
    ADD COLUMN last_used_at timestamptz;
COMMENT ON COLUMN sessions.user_agent IS 'What the client called itself when it signed in; null if it did not.';
COMMENT ON COLUMN sessions.address IS 'The address that the user signed in from; null if it is not known.';
COMMENT ON COLUMN sessions.last_used_at IS 'Updated at most once a minute; null until the first update.';

-- The keys that a removed member leaves behind.
CREATE INDEX api_keys_by_creator ON api_keys (workspace_id, created_by_id, created_at DESC) WHERE revoked_at IS NULL;
