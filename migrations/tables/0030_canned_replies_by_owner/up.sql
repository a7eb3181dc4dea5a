-- Indexes of private and of shared canned replies: a member's own are found fast even if others share many, and shared ones even if many
-- are private. The previous release can run on this schema, because it does not need these indexes.
--
-- Building an index reads the table once. It waits for running writes only, and later writes wait for it.
SET LOCAL lock_timeout = '3s';

CREATE INDEX canned_replies_own ON canned_replies (workspace_id, created_by_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT shared;
CREATE INDEX canned_replies_shared ON canned_replies (workspace_id, shortcut, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND shared;
