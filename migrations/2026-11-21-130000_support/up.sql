-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE issues
    ADD COLUMN requester_name text,
    ADD COLUMN requester_email text,
    ADD COLUMN requester_email_key text,
    ADD COLUMN ticket_type text CONSTRAINT issues_ticket_type_check
        CHECK (ticket_type IN ('question', 'incident', 'problem', 'request')),
    ADD COLUMN requester_contact_id uuid,
    ADD CONSTRAINT issues_requester_check CHECK (
        num_nonnulls(requester_name, requester_email, requester_email_key, ticket_type) IN (0, 4)
        AND (requester_email_key IS NULL OR kind = 'ticket')
        AND (requester_contact_id IS NULL OR requester_email_key IS NOT NULL)
    ),
    ADD CONSTRAINT issues_requester_contact_fkey FOREIGN KEY (workspace_id, requester_contact_id)
        REFERENCES contacts (workspace_id, id);
CREATE INDEX issues_requested_newest ON issues (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND requester_email_key IS NOT NULL;
CREATE INDEX issues_requested_by_status ON issues (workspace_id, status, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND requester_email_key IS NOT NULL;
CREATE INDEX issues_requested_by_email ON issues (workspace_id, requester_email_key, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND requester_email_key IS NOT NULL;
CREATE INDEX issues_requested_by_type ON issues (workspace_id, ticket_type, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND requester_email_key IS NOT NULL;
COMMENT ON COLUMN issues.requester_name IS 'Of a ticket that somebody asked for from outside, as are the other three.';
COMMENT ON COLUMN issues.requester_email_key IS 'The address in lower case: what makes two addresses the same.';
COMMENT ON COLUMN issues.requester_contact_id IS 'The contact whose address it was when the ticket was opened.';

ALTER TABLE comments
    DROP CONSTRAINT comments_author_type_check,
    ADD CONSTRAINT comments_author_type_check CHECK (author_type IN ('api_key', 'user', 'system', 'customer'));
-- What customers see, however much is said inside.
CREATE INDEX comments_public ON comments (workspace_id, issue_id, created_at DESC, id DESC) WHERE visibility = 'public';

CREATE TABLE tracking_links (
    workspace_id uuid NOT NULL,
    lookup_id text NOT NULL,
    issue_id uuid NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT tracking_links_secret_hash_check CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (workspace_id, lookup_id),
    CONSTRAINT tracking_links_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues (workspace_id, id)
);
-- Not by workspace, both: what finds the workspace of a request, and what is pruned.
CREATE UNIQUE INDEX tracking_links_lookup_id_key ON tracking_links (lookup_id);
CREATE INDEX tracking_links_oldest ON tracking_links (expires_at);
COMMENT ON TABLE tracking_links IS 'One-time links by which customers get to a ticket, without the secrets of their tokens.';
COMMENT ON COLUMN tracking_links.lookup_id IS 'The part of a token that finds it.';
COMMENT ON COLUMN tracking_links.secret_hash IS 'SHA-256 of the secret part, which is random.';

CREATE TABLE portal_sessions (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT portal_sessions_secret_hash_check CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT portal_sessions_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues (workspace_id, id)
);
-- Not by workspace, both: what finds the workspace of a request, and what is pruned.
CREATE UNIQUE INDEX portal_sessions_lookup_id_key ON portal_sessions (lookup_id);
CREATE INDEX portal_sessions_oldest ON portal_sessions (expires_at);
COMMENT ON TABLE portal_sessions IS 'Customers who came in by a link: an hour with one ticket.';
COMMENT ON COLUMN portal_sessions.lookup_id IS 'The part of a token that finds it.';
COMMENT ON COLUMN portal_sessions.secret_hash IS 'SHA-256 of the secret part, which is random.';
