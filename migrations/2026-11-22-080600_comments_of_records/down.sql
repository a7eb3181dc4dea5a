SET LOCAL lock_timeout = '3s';

DROP TABLE record_comments;
ALTER TABLE comments DROP COLUMN edited_at;
