SET LOCAL lock_timeout = '3s';

DROP TABLE mail_parts;
DROP INDEX mails_open_batch;
ALTER TABLE mails DROP CONSTRAINT mails_batch_check, DROP COLUMN batch_bytes, DROP COLUMN batch;
DROP TABLE mail_recipients;
DROP TABLE mail_hours;
ALTER TABLE workspaces DROP COLUMN emails_per_hour;
