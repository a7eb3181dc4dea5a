SET LOCAL lock_timeout = '3s';

ALTER TABLE contacts DROP COLUMN assigned_to;
ALTER TABLE companies DROP COLUMN assigned_to;
