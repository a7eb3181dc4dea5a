-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. What is filled in
-- below are workspaces, members and keys: small tables. Tables of records are not touched.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces
    ADD COLUMN version bigint NOT NULL DEFAULT 1 CONSTRAINT workspaces_version_check CHECK (version >= 1),
    ADD COLUMN updated_at timestamptz,
    ADD COLUMN widget_enabled boolean NOT NULL DEFAULT false,
    ADD COLUMN widget_origins text[] NOT NULL DEFAULT '{}',
    ADD COLUMN requests_per_minute bigint
        CONSTRAINT workspaces_requests_per_minute_check CHECK (requests_per_minute >= 1),
    ADD COLUMN crm_quota_per_month bigint
        CONSTRAINT workspaces_crm_quota_per_month_check CHECK (crm_quota_per_month >= 0),
    ADD COLUMN public_tickets_per_hour bigint
        CONSTRAINT workspaces_public_tickets_per_hour_check CHECK (public_tickets_per_hour >= 0),
    ADD COLUMN public_fetches_per_minute bigint
        CONSTRAINT workspaces_public_fetches_per_minute_check CHECK (public_fetches_per_minute >= 0),
    ADD COLUMN public_kb_searches_per_minute bigint
        CONSTRAINT workspaces_public_kb_searches_per_minute_check CHECK (public_kb_searches_per_minute >= 0);
UPDATE workspaces SET updated_at = created_at;
ALTER TABLE workspaces ALTER COLUMN updated_at SET NOT NULL;
COMMENT ON COLUMN workspaces.widget_enabled IS 'Whether the help page may file tickets without a key.';
COMMENT ON COLUMN workspaces.widget_origins IS 'The origins of pages that may do so.';
COMMENT ON COLUMN workspaces.requests_per_minute IS 'Null: as the plan says; so are the limits that follow.';

ALTER TABLE members
    ADD COLUMN joined_at timestamptz,
    ADD COLUMN version bigint NOT NULL DEFAULT 1 CONSTRAINT members_version_check CHECK (version >= 1),
    ADD COLUMN updated_at timestamptz;
-- Until now, whoever was a member had joined.
UPDATE members SET joined_at = created_at, updated_at = coalesce(deactivated_at, created_at);
ALTER TABLE members ALTER COLUMN updated_at SET NOT NULL;
CREATE INDEX members_newest ON members (workspace_id, created_at DESC, user_id DESC);
CREATE INDEX members_by_user ON members (user_id);
COMMENT ON COLUMN members.joined_at IS 'Null while the person is only invited; nothing may refer to them until then.';
COMMENT ON INDEX members_by_user IS 'Not by workspace: it is what finds the workspaces of a person.';

ALTER TABLE api_keys
    ADD COLUMN permissions text[],
    ADD COLUMN last_used_at timestamptz,
    ADD COLUMN version bigint NOT NULL DEFAULT 1 CONSTRAINT api_keys_version_check CHECK (version >= 1),
    ADD COLUMN updated_at timestamptz,
    ADD COLUMN created_by_type text NOT NULL DEFAULT 'system' CONSTRAINT api_keys_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    ADD COLUMN created_by_id uuid;
UPDATE api_keys SET updated_at = coalesce(revoked_at, created_at);
ALTER TABLE api_keys ALTER COLUMN updated_at SET NOT NULL, ALTER COLUMN created_by_type DROP DEFAULT;
CREATE INDEX api_keys_newest ON api_keys (workspace_id, created_at DESC, id DESC);
COMMENT ON COLUMN api_keys.permissions IS 'What is granted of the tools, all else denied; null where the scopes decide.';
COMMENT ON COLUMN api_keys.last_used_at IS 'Moved on once a minute at the most, and no change that version counts.';

CREATE TABLE sessions (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT sessions_secret_hash_check CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT sessions_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);
-- Not by workspace, all three: what finds the workspace of a request, what a new password ends, and what is pruned.
CREATE UNIQUE INDEX sessions_lookup_id_key ON sessions (lookup_id);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_oldest ON sessions (expires_at);
COMMENT ON TABLE sessions IS 'People who signed in, without the secrets of their access tokens. An ended session is no row.';
COMMENT ON COLUMN sessions.lookup_id IS 'The part of an access token that finds it.';
COMMENT ON COLUMN sessions.secret_hash IS 'SHA-256 of the secret part, which is random.';

CREATE TABLE invitations (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT invitations_secret_hash_check CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    accepted_at timestamptz,
    PRIMARY KEY (workspace_id, user_id),
    CONSTRAINT invitations_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);
-- Not by workspace: it is what finds the workspace of a mailed link.
CREATE UNIQUE INDEX invitations_lookup_id_key ON invitations (lookup_id);
COMMENT ON TABLE invitations IS 'The last invitation of each member, open or accepted.';
COMMENT ON COLUMN invitations.lookup_id IS 'The part of the mailed token that finds it.';
COMMENT ON COLUMN invitations.created_at IS 'By the database''s clock, for whoever looks into it.';

CREATE TABLE password_resets (
    user_id uuid PRIMARY KEY REFERENCES users (id),
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT password_resets_secret_hash_check CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);
CREATE UNIQUE INDEX password_resets_lookup_id_key ON password_resets (lookup_id);
CREATE INDEX password_resets_oldest ON password_resets (expires_at);
COMMENT ON TABLE password_resets IS
    'The last reset of each person. Without a workspace, like users: a person has one password in all of them.';
COMMENT ON COLUMN password_resets.lookup_id IS 'The part of the mailed token that finds it.';
COMMENT ON COLUMN password_resets.created_at IS 'By the database''s clock, for whoever looks into it.';

CREATE TABLE credential_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subject uuid NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX credential_changes_newest ON credential_changes (changed_at);
COMMENT ON TABLE credential_changes IS
    'What every instance has to forget of verified credentials. Read twice a second, pruned after an hour.';
COMMENT ON COLUMN credential_changes.subject IS
    'A workspace, key, session or person. Without a workspace, since a person is in several.';
COMMENT ON COLUMN credential_changes.changed_at IS 'By the database''s clock, which alone all instances share.';

CREATE TABLE audit_log (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    action text NOT NULL,
    actor_type text NOT NULL CONSTRAINT audit_log_actor_type_check CHECK (actor_type IN ('api_key', 'user', 'system')),
    actor_id uuid,
    actor_name text NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    details jsonb NOT NULL CONSTRAINT audit_log_details_check CHECK (jsonb_typeof(details) = 'object'),
    ip text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_log_newest ON audit_log (workspace_id, created_at DESC, id DESC);
COMMENT ON TABLE audit_log IS 'Administrative acts. Rows are added and never changed or removed; a trigger sees to it.';
COMMENT ON COLUMN audit_log.action IS 'A word such as api_key.created; the domain knows all of them.';
COMMENT ON COLUMN audit_log.actor_name IS 'As it was at the time.';
COMMENT ON COLUMN audit_log.ip IS 'Where the request came from; null for the command line.';

CREATE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays();
COMMENT ON FUNCTION audit_log_stays() IS 'Refuses whatever would change the past.';

CREATE TABLE crm_quota (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    month date NOT NULL CONSTRAINT crm_quota_month_check CHECK (extract(day FROM month) = 1),
    given bigint NOT NULL,
    settled bigint NOT NULL CONSTRAINT crm_quota_settled_check CHECK (settled BETWEEN 0 AND given),
    PRIMARY KEY (workspace_id, month)
) WITH (fillfactor = 50);
COMMENT ON TABLE crm_quota IS
    'Contacts, companies and deals of a month. What was used is settled plus what was used of each block.';
COMMENT ON COLUMN crm_quota.given IS 'Settled, and the sizes of all blocks: more was never allowed to be used.';
COMMENT ON COLUMN crm_quota.settled IS 'What was there before the month was counted, and blocks that are used up and gone.';

CREATE TABLE crm_quota_blocks (
    workspace_id uuid NOT NULL,
    month date NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    size integer NOT NULL CONSTRAINT crm_quota_blocks_size_check CHECK (size > 0),
    used integer NOT NULL CONSTRAINT crm_quota_blocks_used_check CHECK (used BETWEEN 0 AND size),
    PRIMARY KEY (workspace_id, month, id),
    CONSTRAINT crm_quota_blocks_quota_fkey FOREIGN KEY (workspace_id, month) REFERENCES crm_quota (workspace_id, month)
) WITH (fillfactor = 50);
COMMENT ON TABLE crm_quota_blocks IS
    'Parts of a quota, taken from in place of the one row of the month, so that creates do not wait for each other.';
COMMENT ON COLUMN crm_quota_blocks.used IS 'Changes with every create, on its own page: no index may have it.';

CREATE TABLE request_counts (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    day date NOT NULL,
    requests bigint NOT NULL CONSTRAINT request_counts_requests_check CHECK (requests >= 0),
    PRIMARY KEY (workspace_id, day)
) WITH (fillfactor = 50);
COMMENT ON TABLE request_counts IS 'Requests that were let in, a day in UTC; written a few seconds late.';
