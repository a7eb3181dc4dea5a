SET LOCAL lock_timeout = '3s';

DROP INDEX tracking_links_requested;
ALTER TABLE tracking_links DROP COLUMN is_requested;
DROP TABLE sign_ins;
