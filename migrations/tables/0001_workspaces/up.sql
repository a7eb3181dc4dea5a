-- Workspaces (tenants), the people in them, and how much they use.
SET LOCAL lock_timeout = '3s';

CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    name text NOT NULL,
    plan text NOT NULL DEFAULT 'enterprise' CHECK (plan IN ('starter', 'professional', 'enterprise')),
    status text NOT NULL CHECK (status IN ('active', 'suspended', 'deleted', 'restricted')),
    default_currency text NOT NULL CHECK (default_currency ~ '^[A-Z]{3}$'),
    created_at timestamptz NOT NULL,
    version bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    updated_at timestamptz NOT NULL,
    widget_enabled boolean NOT NULL DEFAULT false,
    widget_origins text[] NOT NULL DEFAULT '{}',
    requests_per_minute bigint CHECK (requests_per_minute >= 1),
    crm_quota_per_month bigint CHECK (crm_quota_per_month >= 0),
    public_tickets_per_hour bigint CHECK (public_tickets_per_hour >= 0),
    public_fetches_per_minute bigint CHECK (public_fetches_per_minute >= 0),
    public_kb_searches_per_minute bigint CHECK (public_kb_searches_per_minute >= 0),
    kb_language text NOT NULL DEFAULT 'english',
    allowed_networks text[] NOT NULL DEFAULT '{}' CHECK (cardinality(allowed_networks) <= 100),
    require_second_factor boolean NOT NULL DEFAULT false,
    emails_per_hour bigint CHECK (emails_per_hour >= 0),
    notify_requesters boolean,
    search tsvector NOT NULL DEFAULT '',
    erase_at timestamptz,
    erasing boolean NOT NULL DEFAULT false,
    help_centre_enabled boolean NOT NULL DEFAULT true,
    event_bytes_per_day bigint CHECK (event_bytes_per_day >= 0),
    CONSTRAINT workspaces_erase_at_check CHECK ((erase_at IS NOT NULL) = (status = 'deleted')),
    CONSTRAINT workspaces_erasing_check CHECK (NOT erasing OR erase_at IS NOT NULL),
    CHECK (kb_language IN ('simple', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish',
        'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali',
        'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish',
        'yiddish'))
);
CREATE INDEX workspaces_newest ON workspaces (created_at DESC, id DESC);
CREATE INDEX workspaces_by_status ON workspaces (status, created_at DESC, id DESC);
CREATE INDEX workspaces_search ON workspaces USING gin (search) WITH (fastupdate = off);
CREATE INDEX workspaces_erasing ON workspaces (erase_at) WHERE erase_at IS NOT NULL;
COMMENT ON TABLE workspaces IS 'Tenants. Every record and every credential belongs to one.';
COMMENT ON COLUMN workspaces.default_currency IS 'ISO 4217. Used for deals that do not name a currency.';
COMMENT ON COLUMN workspaces.widget_enabled IS 'Whether the help page may create tickets without an API key.';
COMMENT ON COLUMN workspaces.widget_origins IS 'Origins of other pages that may do so.';
COMMENT ON COLUMN workspaces.requests_per_minute IS
    'Null: the plan''s limit applies. The same holds for the limits in the columns below.';
COMMENT ON COLUMN workspaces.kb_language IS 'Text search configuration of its articles: one that every Postgres since 14 ships with.';
COMMENT ON COLUMN workspaces.allowed_networks IS
    'CIDR networks from which API keys and users may connect; empty allows all. Customers are not affected.';
COMMENT ON COLUMN workspaces.require_second_factor IS
    'Whether owners and admins without a second factor can do nothing except set one up.';
COMMENT ON COLUMN workspaces.emails_per_hour IS 'Null: the plan''s limit applies.';
COMMENT ON COLUMN workspaces.notify_requesters IS
    'Whether customers get an e-mail when their ticket is received and when it is resolved.
Null: only if a mail server is configured.';
COMMENT ON COLUMN workspaces.search IS 'The words that operators find it by, each prefixed with the nil workspace id.';
COMMENT ON COLUMN workspaces.erase_at IS 'When a deleted workspace is erased. It can be restored until then.';
COMMENT ON COLUMN workspaces.erasing IS 'Whether part of it is already erased, so that it can no longer be restored.';
COMMENT ON COLUMN workspaces.help_centre_enabled IS 'Whether its published articles are public on its help centre.';
COMMENT ON COLUMN workspaces.event_bytes_per_day IS 'Null: the plan''s limit applies.';

CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    email_key text NOT NULL,
    name text NOT NULL,
    password_hash text,
    created_at timestamptz NOT NULL,
    notify_assigned boolean NOT NULL DEFAULT true,
    notify_replies boolean NOT NULL DEFAULT true,
    is_operator boolean NOT NULL DEFAULT false,
    CONSTRAINT users_email_key UNIQUE (email_key)
);
CREATE INDEX users_operators ON users (email_key COLLATE "C") WHERE is_operator;
COMMENT ON TABLE users IS 'People, across all workspaces. Records refer to members, never to users.';
COMMENT ON COLUMN users.email_key IS 'The address in lower case. Two addresses with the same key are the same address.';
COMMENT ON COLUMN users.password_hash IS 'Argon2id; null until the user chooses a password.';
COMMENT ON COLUMN users.notify_assigned IS 'Whether the user gets e-mails about what others assign to them, in all workspaces.';
COMMENT ON COLUMN users.notify_replies IS 'Whether the user gets e-mails about customer replies to their tickets, in all workspaces.';
COMMENT ON COLUMN users.is_operator IS
    'Whether the user operates the service: plans, limits and states of all workspaces.
Only the command line can set it.';

CREATE TABLE members (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    user_id uuid NOT NULL REFERENCES users,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    created_at timestamptz NOT NULL,
    deactivated_at timestamptz,
    joined_at timestamptz,
    version bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX members_newest ON members (workspace_id, created_at DESC, user_id DESC);
CREATE INDEX members_by_user ON members (user_id);
COMMENT ON INDEX members_by_user IS 'Does not start with the workspace: it finds the workspaces of a user.';
CREATE INDEX members_joined ON members (workspace_id, created_at DESC, user_id DESC) WHERE joined_at IS NOT NULL;
COMMENT ON TABLE members IS 'The users of a workspace. Rows are never deleted, because records refer to them.';
COMMENT ON COLUMN members.deactivated_at IS 'Set when the user leaves. Nothing new can refer to them after that.';
COMMENT ON COLUMN members.joined_at IS 'Null while the user is only invited. Nothing can refer to them until they join.';

CREATE TABLE invitations (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    accepted_at timestamptz,
    invited_by uuid,
    PRIMARY KEY (workspace_id, user_id),
    CONSTRAINT invitations_inviter_fkey FOREIGN KEY (workspace_id, invited_by) REFERENCES members(workspace_id, user_id),
    CONSTRAINT invitations_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members(workspace_id, user_id)
);
CREATE UNIQUE INDEX invitations_lookup_id_key ON invitations (lookup_id);
COMMENT ON TABLE invitations IS 'The latest invitation of each member, open or accepted.';
COMMENT ON COLUMN invitations.lookup_id IS 'Public part of the e-mailed token, by which the row is found.';
COMMENT ON COLUMN invitations.created_at IS 'By the database''s clock. For diagnosis only.';
COMMENT ON COLUMN invitations.invited_by IS
    'The member who sent it. Null if an operator sent it, or if it was sent before this column existed.';

CREATE TABLE demo_workspaces (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces,
    made_at timestamptz NOT NULL
);
COMMENT ON TABLE demo_workspaces IS 'Workspaces that the service filled with sample records.';
COMMENT ON COLUMN demo_workspaces.made_at IS 'Everything created up to this time is sample data; people created the rest.';

CREATE TABLE request_counts (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    day date NOT NULL,
    requests bigint NOT NULL CHECK (requests >= 0),
    event_bytes bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, day)
) WITH (fillfactor = 50);
CREATE INDEX request_counts_event_bytes ON request_counts (day, event_bytes DESC) WHERE event_bytes > 0;
COMMENT ON TABLE request_counts IS 'Accepted requests per workspace and UTC day. Written with a delay of a few seconds.';
COMMENT ON COLUMN request_counts.event_bytes IS
    'Approximate number of bytes that changes added to the event log. Written with a delay of a few seconds.';

CREATE TABLE crm_quota (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    month date NOT NULL CHECK (EXTRACT(day FROM month) = 1),
    given bigint NOT NULL,
    settled bigint NOT NULL,
    PRIMARY KEY (workspace_id, month),
    CONSTRAINT crm_quota_settled_check CHECK (settled >= 0 AND settled <= given)
) WITH (fillfactor = 50);
COMMENT ON TABLE crm_quota IS 'Quota of companies, contacts and deals per month. Usage is settled plus the used part of each block.';
COMMENT ON COLUMN crm_quota.given IS 'Settled plus the sizes of all blocks: an upper bound on the usage.';
COMMENT ON COLUMN crm_quota.settled IS 'Usage from before the month was counted, plus blocks that are used up and deleted.';

CREATE TABLE crm_quota_blocks (
    workspace_id uuid NOT NULL,
    month date NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    size integer NOT NULL CHECK (size > 0),
    used integer NOT NULL,
    PRIMARY KEY (workspace_id, month, id),
    CONSTRAINT crm_quota_blocks_quota_fkey FOREIGN KEY (workspace_id, month) REFERENCES crm_quota(workspace_id, month),
    CONSTRAINT crm_quota_blocks_used_check CHECK (used >= 0 AND used <= size)
) WITH (fillfactor = 50);
COMMENT ON TABLE crm_quota_blocks IS
    'Parts of a quota. Creates take from blocks instead of the month''s single row, so they do not wait for each other.';
COMMENT ON COLUMN crm_quota_blocks.used IS 'Changes with every create. Must not be indexed, so that the update stays on its page.';

CREATE TABLE last_backup (
    is_only boolean DEFAULT true PRIMARY KEY CHECK (is_only),
    ended_at timestamptz NOT NULL
);
COMMENT ON TABLE last_backup IS 'One row, once `workspace-service backup` has written a backup of this database.';

CREATE TABLE schema_functions (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    revision integer NOT NULL,
    hash text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE schema_functions IS 'The revision of migrations/functions that the schema has.';
COMMENT ON COLUMN schema_functions.hash IS 'The last line of migrations/functions/REVISIONS at that revision.';
