DROP INDEX companies_newest;
ALTER TABLE companies DROP COLUMN search;
