-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- For the list of members that all readers see; there may be any number of open invitations between them.
CREATE INDEX members_joined ON members (workspace_id, created_at DESC, user_id DESC) WHERE joined_at IS NOT NULL;
