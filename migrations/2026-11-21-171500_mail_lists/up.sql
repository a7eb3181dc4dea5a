-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- What operators list: by where a letter stands, the newest first.
CREATE INDEX mails_newest ON mails (
    workspace_id,
    (CASE WHEN next_attempt_at IS NOT NULL THEN 'waiting' WHEN sent_at IS NOT NULL THEN 'sent' ELSE 'failed' END),
    created_at DESC,
    id DESC
);
-- Not by workspace: it is for who asks for letters of all.
CREATE INDEX mails_newest_of_all ON mails (
    (CASE WHEN next_attempt_at IS NOT NULL THEN 'waiting' WHEN sent_at IS NOT NULL THEN 'sent' ELSE 'failed' END),
    created_at DESC,
    id DESC
);
