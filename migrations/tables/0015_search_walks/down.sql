SET LOCAL lock_timeout = '3s';

COMMENT ON COLUMN issues.search_stale IS 'Whether search was written before it included labels.';
COMMENT ON COLUMN contacts.search_stale IS 'Whether search was written before it included tags.';
DROP TABLE search_walks;
