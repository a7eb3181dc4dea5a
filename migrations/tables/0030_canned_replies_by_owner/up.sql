-- Indexes of own and of shared canned replies, so that a member's own are found however many others share, and shared ones however many
-- others keep to themselves. The previous release can run on it: it does not ask for these indexes.
--
-- To build one reads its table once, and waits for nothing but running writes, which wait for it.
SET LOCAL lock_timeout = '3s';

CREATE INDEX canned_replies_own ON canned_replies (workspace_id, created_by_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT shared;
CREATE INDEX canned_replies_shared ON canned_replies (workspace_id, shortcut, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND shared;
