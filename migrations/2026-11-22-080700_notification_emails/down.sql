SET LOCAL lock_timeout = '3s';

COMMENT ON COLUMN mails.batch IS 'The ticket whose comments are added to this e-mail; null once a worker has claimed it.';
ALTER TABLE mails DROP COLUMN subject_of_many;
ALTER TABLE users DROP COLUMN notify_assigned, DROP COLUMN notify_replies;
ALTER TABLE workspaces DROP COLUMN notify_requesters;
