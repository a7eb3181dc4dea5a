-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN workspaces.require_second_factor IS
    'Whether owners and admins without a second factor may do nothing but set one up.';

CREATE TABLE second_factors (
    user_id uuid PRIMARY KEY REFERENCES users (id),
    secret_key_id text NOT NULL,
    secret bytea NOT NULL,
    created_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    last_step bigint NOT NULL,
    recovery_codes bytea[] NOT NULL
        CONSTRAINT second_factors_recovery_codes_check CHECK (cardinality(recovery_codes) <= 10),
    failures integer NOT NULL CONSTRAINT second_factors_failures_check CHECK (failures >= 0),
    paused_until timestamptz,
    version bigint NOT NULL CONSTRAINT second_factors_version_check CHECK (version >= 1)
);
COMMENT ON TABLE second_factors IS
    'The second factor of each user who has one. Without a workspace, like passwords: it is the same in all of them.';
COMMENT ON COLUMN second_factors.secret_key_id IS 'The master key that sealed the secret.';
COMMENT ON COLUMN second_factors.secret IS 'What the authenticator app shares, sealed for this row alone.';
COMMENT ON COLUMN second_factors.confirmed_at IS 'Null until a code of the app was given; sign-ins do not ask before.';
COMMENT ON COLUMN second_factors.last_step IS 'The time step of the last accepted code; none of it or before is accepted.';
COMMENT ON COLUMN second_factors.recovery_codes IS 'SHA-256 of those that were not used; each has 80 random bits.';
COMMENT ON COLUMN second_factors.failures IS 'Wrong codes since the last right one.';
COMMENT ON COLUMN second_factors.paused_until IS 'Until when codes of the app are refused, after too many wrong ones.';

CREATE TABLE sign_in_challenges (
    workspace_id uuid NOT NULL,
    lookup_id text NOT NULL,
    user_id uuid NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT sign_in_challenges_secret_hash_check CHECK (octet_length(secret_hash) = 32),
    expires_at timestamptz NOT NULL,
    tries integer NOT NULL CONSTRAINT sign_in_challenges_tries_check CHECK (tries >= 0),
    PRIMARY KEY (workspace_id, lookup_id),
    CONSTRAINT sign_in_challenges_member_fkey FOREIGN KEY (workspace_id, user_id)
        REFERENCES members (workspace_id, user_id)
);
-- Not by workspace, all three: what finds the workspace of a request, what a new password ends, and what is pruned.
CREATE UNIQUE INDEX sign_in_challenges_lookup_id_key ON sign_in_challenges (lookup_id);
CREATE INDEX sign_in_challenges_by_user ON sign_in_challenges (user_id, expires_at);
CREATE INDEX sign_in_challenges_oldest ON sign_in_challenges (expires_at);
COMMENT ON TABLE sign_in_challenges IS
    'Sign-ins with the right password that wait for a code, for a few minutes. A finished one is no row.';
COMMENT ON COLUMN sign_in_challenges.lookup_id IS 'The part of its token that finds it.';
COMMENT ON COLUMN sign_in_challenges.tries IS 'Codes that were tried.';
