-- Whether a workspace's help centre shows pictures from other sites. The previous release can run on it: it leaves the column as it is.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces ADD COLUMN help_centre_pictures boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN workspaces.help_centre_pictures IS 'Whether its help centre shows pictures from other sites.';
