-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- The workspace is what somebody without a credential says, before anybody looks whether there is one. So it does not
-- come first in the key, and no foreign key leads to workspaces: the insert would tell by its failure what exists.
CREATE TABLE link_requests (
    id uuid PRIMARY KEY,
    wanted text NOT NULL CONSTRAINT link_requests_wanted_check CHECK (wanted IN ('ticket', 'password_reset')),
    email text NOT NULL,
    workspace_id uuid,
    reference text,
    created_at timestamptz NOT NULL,
    next_attempt_at timestamptz NOT NULL,
    CONSTRAINT link_requests_ticket_check
        CHECK (num_nonnulls(workspace_id, reference) = CASE wanted WHEN 'ticket' THEN 2 ELSE 0 END)
);
-- The queue, the one due first at the head.
CREATE INDEX link_requests_due ON link_requests (next_attempt_at, id);
COMMENT ON TABLE link_requests IS
    'Links that somebody without a credential asked for: a row goes with the answer, seconds later, whether anything fits or not.';
COMMENT ON COLUMN link_requests.workspace_id IS
    'The workspace that a ticket is said to be in. It may be none of ours: no foreign key, so that nothing tells.';
COMMENT ON COLUMN link_requests.reference IS 'The reference that a ticket is said to have.';
COMMENT ON COLUMN link_requests.email IS 'The address that a ticket is said to have, or that of a person who forgot a password.';
COMMENT ON COLUMN link_requests.next_attempt_at IS 'When it is due; once a worker took it, when the next may.';
