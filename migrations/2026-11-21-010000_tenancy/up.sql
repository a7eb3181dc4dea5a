-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    slug text NOT NULL CONSTRAINT workspaces_slug_key UNIQUE,
    name text NOT NULL,
    plan text NOT NULL CONSTRAINT workspaces_plan_check CHECK (plan IN ('starter', 'professional', 'enterprise')),
    status text NOT NULL CONSTRAINT workspaces_status_check
        CHECK (status IN ('active', 'suspended', 'deleted', 'restricted')),
    default_currency text NOT NULL CONSTRAINT workspaces_default_currency_check CHECK (default_currency ~ '^[A-Z]{3}$'),
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE workspaces IS 'Tenants: every record and credential belongs to one.';
COMMENT ON COLUMN workspaces.default_currency IS 'ISO 4217; of deals that name none.';

CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    email_key text NOT NULL CONSTRAINT users_email_key UNIQUE,
    name text NOT NULL,
    password_hash text,
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE users IS 'People, across workspaces. Records never refer to them, but to members.';
COMMENT ON COLUMN users.email_key IS 'The address in lower case: what makes two addresses the same.';
COMMENT ON COLUMN users.password_hash IS 'Argon2id; null until the person chooses a password.';

CREATE TABLE members (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    user_id uuid NOT NULL REFERENCES users (id),
    role text NOT NULL CONSTRAINT members_role_check CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    created_at timestamptz NOT NULL,
    deactivated_at timestamptz,
    PRIMARY KEY (workspace_id, user_id)
);
COMMENT ON TABLE members IS 'Who belongs to a workspace. Never removed, since records refer to it.';
COMMENT ON COLUMN members.deactivated_at IS 'Set when the person leaves; nothing new may refer to them then.';

CREATE TABLE api_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT api_keys_secret_hash_check CHECK (octet_length(secret_hash) = 32),
    scopes text[] NOT NULL,
    preset text CONSTRAINT api_keys_preset_check
        CHECK (preset IN ('read_only', 'crm', 'projects', 'support', 'full_access')),
    expires_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
-- Not by workspace: it is what finds the workspace of a request.
CREATE UNIQUE INDEX api_keys_lookup_id_key ON api_keys (lookup_id);
COMMENT ON TABLE api_keys IS 'Credentials for programs, without their secrets.';
COMMENT ON COLUMN api_keys.lookup_id IS 'The part of a key that finds it.';
COMMENT ON COLUMN api_keys.secret_hash IS 'SHA-256 of the secret part, which is random.';
COMMENT ON COLUMN api_keys.scopes IS 'Words such as deals.write.';
