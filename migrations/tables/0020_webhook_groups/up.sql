-- Webhooks that one request creates for several modules. The previous release can run on it: it treats each as a webhook of its own, so that
-- a new URL or secret set by it is that of one webhook of the group until it is set again.
SET LOCAL lock_timeout = '3s';

ALTER TABLE webhook_subscriptions ADD COLUMN group_id uuid;
CREATE INDEX webhook_subscriptions_of_group ON webhook_subscriptions (workspace_id, group_id)
    WHERE group_id IS NOT NULL AND deleted_at IS NULL;
COMMENT ON COLUMN webhook_subscriptions.group_id IS
    'The id of the first of the webhooks that share URL, headers and secret. No foreign key: it may have been deleted.';
