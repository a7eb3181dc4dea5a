-- Separate indexes for private and shared canned replies: finding a member's private replies must not slow down if others share many, nor
-- finding shared replies if many are private. The previous release can run on this schema, because it does not need these indexes.
--
-- Building an index reads the table once. The build only waits for running writes, and later writes wait for the build.
SET LOCAL lock_timeout = '3s';

CREATE INDEX canned_replies_own ON canned_replies (workspace_id, created_by_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT shared;
CREATE INDEX canned_replies_shared ON canned_replies (workspace_id, shortcut, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND shared;
