SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces DROP COLUMN help_centre_pictures;
