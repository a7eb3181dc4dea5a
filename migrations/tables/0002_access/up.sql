-- Authentication of users and programs: API keys, sessions, second factors and one-time links.
SET LOCAL lock_timeout = '3s';

CREATE TABLE api_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    name text NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    scopes text[] NOT NULL,
    preset text CHECK (preset IN ('read_only', 'crm', 'projects', 'support', 'full_access', 'agent_trial')),
    expires_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL,
    permissions text[],
    last_used_at timestamptz,
    version bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    trial_tools text[],
    trial_calls_limit bigint CHECK (trial_calls_limit >= 1),
    trial_calls_used bigint,
    allowed_networks text[] NOT NULL DEFAULT '{}' CHECK (cardinality(allowed_networks) <= 100),
    tools_used_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT api_keys_trial_calls_used_check CHECK (trial_calls_used >= 0 AND trial_calls_used <= trial_calls_limit),
    CONSTRAINT api_keys_trial_check CHECK ((num_nonnulls(trial_tools, trial_calls_limit,
        trial_calls_used) = CASE WHEN (preset = 'agent_trial') THEN 3 ELSE 0 END)
        AND ((preset IS DISTINCT FROM 'agent_trial') OR expires_at IS NOT NULL))
);
CREATE UNIQUE INDEX api_keys_lookup_id_key ON api_keys (lookup_id);
CREATE INDEX api_keys_newest ON api_keys (workspace_id, created_at DESC, id DESC);
CREATE INDEX api_keys_by_creator ON api_keys (workspace_id, created_by_id, created_at DESC) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_active ON api_keys (workspace_id, expires_at) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_used_by_tools ON api_keys (workspace_id) WHERE tools_used_at IS NOT NULL;
COMMENT ON TABLE api_keys IS 'Credentials for programs, without their secrets.';
COMMENT ON COLUMN api_keys.lookup_id IS 'Public part of the key, by which the row is found.';
COMMENT ON COLUMN api_keys.secret_hash IS 'SHA-256 of the secret part, which is random.';
COMMENT ON COLUMN api_keys.scopes IS 'Codes such as deals.write.';
COMMENT ON COLUMN api_keys.permissions IS 'The tools that are allowed; all others are denied. Null: the scopes decide.';
COMMENT ON COLUMN api_keys.last_used_at IS 'Updated at most once a minute, without a new version.';
COMMENT ON COLUMN api_keys.trial_tools IS 'The tools of an agent trial; null for all other keys.';
COMMENT ON COLUMN api_keys.trial_calls_used IS 'Tool calls so far. At the limit, further calls are refused.';
COMMENT ON COLUMN api_keys.allowed_networks IS
    'CIDR networks from which the key may be used; empty allows all. The workspace''s networks apply too.';
COMMENT ON COLUMN api_keys.tools_used_at IS
    'Last use over the tool API, updated at most once a minute. Null: not used since this column was added.';

CREATE TABLE sessions (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    user_agent text CHECK (char_length(user_agent) <= 300),
    address text CHECK (char_length(address) <= 45),
    last_used_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT sessions_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members(workspace_id, user_id)
);
CREATE UNIQUE INDEX sessions_lookup_id_key ON sessions (lookup_id);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_oldest ON sessions (expires_at);
COMMENT ON TABLE sessions IS 'Signed-in users, without the secrets of their access tokens. The row is deleted when the session ends.';
COMMENT ON COLUMN sessions.lookup_id IS 'Public part of the access token, by which the row is found.';
COMMENT ON COLUMN sessions.secret_hash IS 'SHA-256 of the secret part, which is random.';
COMMENT ON COLUMN sessions.user_agent IS 'User-Agent of the sign-in; null if it had none.';
COMMENT ON COLUMN sessions.address IS 'Client address of the sign-in; null if unknown.';
COMMENT ON COLUMN sessions.last_used_at IS 'Updated at most once a minute; null until the first update.';

CREATE TABLE credential_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subject uuid NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX credential_changes_newest ON credential_changes (changed_at);
COMMENT ON TABLE credential_changes IS
    'Verified credentials that every instance must drop from its cache. Read twice a second, pruned after an hour.';
COMMENT ON COLUMN credential_changes.subject IS
    'A workspace, key, session or user. There is no workspace_id, because a user can be in several workspaces.';
COMMENT ON COLUMN credential_changes.changed_at IS 'By the database''s clock, the only one that all instances share.';

CREATE TABLE password_resets (
    user_id uuid PRIMARY KEY REFERENCES users,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);
CREATE UNIQUE INDEX password_resets_lookup_id_key ON password_resets (lookup_id);
CREATE INDEX password_resets_oldest ON password_resets (expires_at);
COMMENT ON TABLE password_resets IS
    'The latest password reset of each user. No workspace_id: a user has one password for all workspaces.';
COMMENT ON COLUMN password_resets.lookup_id IS 'Public part of the e-mailed token, by which the row is found.';
COMMENT ON COLUMN password_resets.created_at IS 'By the database''s clock. For diagnosis only.';

CREATE TABLE sign_ins (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    network text NOT NULL,
    device text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, network, device)
);
COMMENT ON TABLE sign_ins IS 'The latest places that each user has signed in from.';
COMMENT ON COLUMN sign_ins.network IS 'An IPv4 address, or an IPv6 /56.';
COMMENT ON COLUMN sign_ins.device IS 'Program and operating system, such as Firefox on Linux.';
COMMENT ON COLUMN sign_ins.last_seen_at IS 'The latest sign-in from there. The place with the oldest one is replaced by a new place.';

CREATE TABLE second_factors (
    user_id uuid PRIMARY KEY REFERENCES users,
    secret_key_id text NOT NULL,
    secret bytea NOT NULL,
    created_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    last_step bigint NOT NULL,
    recovery_codes bytea[] NOT NULL CHECK (cardinality(recovery_codes) <= 10),
    failures integer NOT NULL CHECK (failures >= 0),
    paused_until timestamptz,
    version bigint NOT NULL CHECK (version >= 1)
);
COMMENT ON TABLE second_factors IS
    'Second factors of users. No workspace_id: like the password, the second factor is the same in all workspaces.';
COMMENT ON COLUMN second_factors.secret_key_id IS 'The master key that sealed the secret.';
COMMENT ON COLUMN second_factors.secret IS 'The secret shared with the authenticator app, sealed for this row only.';
COMMENT ON COLUMN second_factors.confirmed_at IS
    'Null until the user has entered a code from the app. Sign-ins do not require a code before that.';
COMMENT ON COLUMN second_factors.last_step IS 'Time step of the last accepted code. Codes of this step and earlier ones are refused.';
COMMENT ON COLUMN second_factors.recovery_codes IS 'SHA-256 of the unused recovery codes. Each code has 80 random bits.';
COMMENT ON COLUMN second_factors.failures IS 'Wrong codes since the last correct one.';
COMMENT ON COLUMN second_factors.paused_until IS 'Codes from the app are refused until then, after too many wrong ones.';

CREATE TABLE sign_in_challenges (
    workspace_id uuid NOT NULL,
    lookup_id text NOT NULL,
    user_id uuid NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    expires_at timestamptz NOT NULL,
    tries integer NOT NULL CHECK (tries >= 0),
    awaits text NOT NULL CHECK (awaits IN ('workspace', 'code')),
    first_proof text NOT NULL CHECK (first_proof IN ('password', 'link', 'session')),
    session_id uuid,
    session_ends_at timestamptz,
    PRIMARY KEY (workspace_id, lookup_id),
    CONSTRAINT sign_in_challenges_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members(workspace_id, user_id),
    CONSTRAINT sign_in_challenges_choice_check CHECK (awaits = 'code' OR first_proof = 'password'),
    CONSTRAINT sign_in_challenges_session_check CHECK (((first_proof = 'session') = (session_id IS NOT NULL))
        AND ((session_id IS NULL) = (session_ends_at IS NULL)))
);
CREATE UNIQUE INDEX sign_in_challenges_lookup_id_key ON sign_in_challenges (lookup_id);
CREATE INDEX sign_in_challenges_by_user ON sign_in_challenges (user_id, expires_at);
CREATE INDEX sign_in_challenges_oldest ON sign_in_challenges (expires_at);
COMMENT ON TABLE sign_in_challenges IS
    'Sign-ins that wait a few minutes for the choice of a workspace or for a code. Deleted when completed.';
COMMENT ON COLUMN sign_in_challenges.lookup_id IS 'Public part of the token, by which the row is found.';
COMMENT ON COLUMN sign_in_challenges.tries IS 'Codes tried so far.';
COMMENT ON COLUMN sign_in_challenges.awaits IS 'The next step. The token is not accepted for any other.';
COMMENT ON COLUMN sign_in_challenges.first_proof IS 'How the user has authenticated so far.';
COMMENT ON COLUMN sign_in_challenges.session_id IS
    'The session that it came from, which must still exist. No foreign key: ended sessions are deleted.';
COMMENT ON COLUMN sign_in_challenges.session_ends_at IS 'Latest end of the new session: when the session that it came from would end.';

CREATE TABLE sign_in_links (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (workspace_id, user_id),
    CONSTRAINT sign_in_links_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members(workspace_id, user_id)
);
CREATE UNIQUE INDEX sign_in_links_lookup_id_key ON sign_in_links (lookup_id);
CREATE INDEX sign_in_links_oldest ON sign_in_links (expires_at);
COMMENT ON TABLE sign_in_links IS
    'One-time links for signing in on the machine itself. A new link of a member replaces the previous one.';
COMMENT ON COLUMN sign_in_links.lookup_id IS 'Public part of the token, by which the row is found.';
COMMENT ON COLUMN sign_in_links.secret_hash IS 'SHA-256 of the secret part of the token.';

CREATE TABLE set_up_codes (
    instance text PRIMARY KEY CHECK (octet_length(instance) >= 1 AND octet_length(instance) <= 1000),
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX set_up_codes_lookup_id_key ON set_up_codes (lookup_id);
COMMENT ON TABLE set_up_codes IS
    'One-time codes for creating the first workspace: at most a few, and none once a workspace exists.
No workspace_id: there is no workspace yet.';
COMMENT ON COLUMN set_up_codes.instance IS
    'The instance that printed it: its host, address and data folder. When it starts, it replaces only its own code.';
COMMENT ON COLUMN set_up_codes.lookup_id IS 'Public part of the code, by which the row is found.';
COMMENT ON COLUMN set_up_codes.secret_hash IS 'SHA-256 of the secret part of the code.';

CREATE TABLE link_requests (
    id uuid PRIMARY KEY,
    wanted text NOT NULL CHECK (wanted IN ('ticket', 'password_reset')),
    email text NOT NULL,
    workspace_id uuid,
    reference text,
    created_at timestamptz NOT NULL,
    next_attempt_at timestamptz NOT NULL,
    network inet NOT NULL DEFAULT '0.0.0.0'::inet,
    turn_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT link_requests_ticket_check CHECK (num_nonnulls(workspace_id,
        reference) = CASE wanted WHEN 'ticket' THEN 2 ELSE 0 END)
);
CREATE INDEX link_requests_turn ON link_requests (turn_at, id);
CREATE INDEX link_requests_network ON link_requests (network);
COMMENT ON TABLE link_requests IS
    'Links requested without a credential. A row is deleted when it is answered, seconds later,
whether or not anything matches.';
COMMENT ON COLUMN link_requests.email IS
    'The claimed address of a ticket''s requester, or of a user who forgot their password, in lower case.';
COMMENT ON COLUMN link_requests.workspace_id IS
    'The claimed workspace of a ticket. No foreign key: the workspace may not exist, and the response must not reveal it.';
COMMENT ON COLUMN link_requests.reference IS 'The claimed reference of a ticket.';
COMMENT ON COLUMN link_requests.next_attempt_at IS 'When it is due. After a worker has taken it, when the next worker may.';
COMMENT ON COLUMN link_requests.network IS
    'Where the request came from: an IPv4 address, or an IPv6 /56. The number of waiting requests is limited by network.';
COMMENT ON COLUMN link_requests.turn_at IS
    'Place in the queue: when it was sent, plus one second for each request of the same network that was waiting.';
