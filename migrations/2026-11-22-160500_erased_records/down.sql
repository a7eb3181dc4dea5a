SET LOCAL lock_timeout = '3s';

ALTER TABLE contacts DROP COLUMN erased_at;
ALTER TABLE companies DROP COLUMN erased_at;
ALTER TABLE deals DROP COLUMN erased_at;
ALTER TABLE projects DROP COLUMN erased_at;
ALTER TABLE cycles DROP COLUMN erased_at;
ALTER TABLE issues DROP COLUMN erased_at;
ALTER TABLE kb_articles DROP COLUMN erased_at;
