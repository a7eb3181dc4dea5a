-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces ADD COLUMN notify_requesters boolean;
COMMENT ON COLUMN workspaces.notify_requesters IS
    'Whether customers get an e-mail when their ticket is received and when it is resolved. Null: if a mail server is configured.';

-- Constant defaults: no row is rewritten.
ALTER TABLE users
    ADD COLUMN notify_assigned boolean NOT NULL DEFAULT true,
    ADD COLUMN notify_replies boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN users.notify_assigned IS 'Whether the user gets e-mails about what others assign to them, in all workspaces.';
COMMENT ON COLUMN users.notify_replies IS 'Whether the user gets e-mails about replies of customers to their tickets, in all workspaces.';

ALTER TABLE mails ADD COLUMN subject_of_many text;
COMMENT ON COLUMN mails.subject_of_many IS 'The subject if several texts were added to it; null: the same.';
COMMENT ON COLUMN mails.batch IS
    'The ticket or the member whose further texts are added to this e-mail; null once a worker has claimed it.';
