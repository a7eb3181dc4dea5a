-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE set_up_codes (
    instance text PRIMARY KEY
        CONSTRAINT set_up_codes_instance_check CHECK (octet_length(instance) BETWEEN 1 AND 1000),
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT set_up_codes_secret_hash_check CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX set_up_codes_lookup_id_key ON set_up_codes (lookup_id);
COMMENT ON TABLE set_up_codes IS
    'One-time codes that make the first workspace; a few at most, and none once there is one. Without a workspace: there is none yet.';
COMMENT ON COLUMN set_up_codes.instance IS
    'Which instance printed it: its host, address and data folder. It replaces its own code when it starts, and no other.';
COMMENT ON COLUMN set_up_codes.lookup_id IS 'The part of the code that finds it.';
COMMENT ON COLUMN set_up_codes.secret_hash IS 'SHA-256 of its secret part.';

CREATE TABLE sign_in_links (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT sign_in_links_secret_hash_check CHECK (octet_length(secret_hash) = 32),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (workspace_id, user_id),
    CONSTRAINT sign_in_links_member_fkey FOREIGN KEY (workspace_id, user_id)
        REFERENCES members (workspace_id, user_id)
);
-- Not by workspace, both: what finds the workspace of a request, and what is pruned.
CREATE UNIQUE INDEX sign_in_links_lookup_id_key ON sign_in_links (lookup_id);
CREATE INDEX sign_in_links_oldest ON sign_in_links (expires_at);
COMMENT ON TABLE sign_in_links IS
    'One-time links by which a member signs in on the machine itself; a new one of a member replaces the last.';
COMMENT ON COLUMN sign_in_links.lookup_id IS 'The part of its token that finds it.';
COMMENT ON COLUMN sign_in_links.secret_hash IS 'SHA-256 of the secret part of its token.';
COMMENT ON COLUMN sign_in_links.used_at IS 'Null until it was used.';
