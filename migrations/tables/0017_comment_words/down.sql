SET LOCAL lock_timeout = '3s';

DELETE FROM search_walks WHERE table_name IN ('comments', 'record_comments');
ALTER TABLE record_comments DROP COLUMN search;
ALTER TABLE comments DROP COLUMN search;
