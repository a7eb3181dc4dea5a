-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. The table is small.
SET LOCAL lock_timeout = '3s';

ALTER TABLE invitations ADD COLUMN invited_by uuid;
-- Of memberships that end, the row stays; those of an erased workspace go after its invitations.
ALTER TABLE invitations ADD CONSTRAINT invitations_inviter_fkey
    FOREIGN KEY (workspace_id, invited_by) REFERENCES members (workspace_id, user_id);
COMMENT ON COLUMN invitations.invited_by IS 'The member who sent it. NULL for an operator of the service, and for those sent before this column was there.';
