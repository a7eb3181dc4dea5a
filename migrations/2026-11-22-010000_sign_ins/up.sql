-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- A user signs in to workspaces, but is the same in all of them: so the workspace does not come first in the key.
CREATE TABLE sign_ins (
    user_id uuid NOT NULL CONSTRAINT sign_ins_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
    network text NOT NULL,
    device text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    CONSTRAINT sign_ins_pkey PRIMARY KEY (user_id, network, device)
);
COMMENT ON TABLE sign_ins IS 'Where each user has signed in from, the latest places of each.';
COMMENT ON COLUMN sign_ins.network IS 'An IPv4 address, or an IPv6 /56.';
COMMENT ON COLUMN sign_ins.device IS 'Program and operating system, such as Firefox on Linux.';
COMMENT ON COLUMN sign_ins.last_seen_at IS 'The latest sign-in from there; the oldest place makes room for a new one.';

-- Links live for half an hour, so the table is small and the index is built in no time.
ALTER TABLE tracking_links ADD COLUMN is_requested boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN tracking_links.is_requested IS 'Whether it was mailed because its customer asked for it.';
CREATE INDEX tracking_links_requested ON tracking_links (workspace_id, issue_id, expires_at)
    WHERE is_requested AND used_at IS NULL;
