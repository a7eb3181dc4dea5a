SET LOCAL lock_timeout = '3s';

DROP TABLE schema_functions;
DROP TABLE last_backup;
DROP TABLE crm_quota_blocks;
DROP TABLE crm_quota;
DROP TABLE request_counts;
DROP TABLE demo_workspaces;
DROP TABLE invitations;
DROP TABLE members;
DROP TABLE users;
DROP TABLE workspaces;
