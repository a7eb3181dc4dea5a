SET LOCAL lock_timeout = '3s';

ALTER TABLE invitations DROP COLUMN invited_by;
