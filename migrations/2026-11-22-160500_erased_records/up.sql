-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Nullable columns
-- without a default rewrite nothing.
SET LOCAL lock_timeout = '3s';

ALTER TABLE contacts ADD COLUMN erased_at timestamptz;
ALTER TABLE companies ADD COLUMN erased_at timestamptz;
ALTER TABLE deals ADD COLUMN erased_at timestamptz;
ALTER TABLE projects ADD COLUMN erased_at timestamptz;
ALTER TABLE cycles ADD COLUMN erased_at timestamptz;
ALTER TABLE issues ADD COLUMN erased_at timestamptz;
ALTER TABLE kb_articles ADD COLUMN erased_at timestamptz;
COMMENT ON COLUMN contacts.erased_at IS 'When its content was erased. Only what refers to it still needs the row.';
COMMENT ON COLUMN companies.erased_at IS 'When its content was erased. Only what refers to it still needs the row.';
COMMENT ON COLUMN deals.erased_at IS 'When its content was erased. Only what refers to it still needs the row.';
COMMENT ON COLUMN projects.erased_at IS 'When its content was erased. Only what refers to it still needs the row.';
COMMENT ON COLUMN cycles.erased_at IS 'When its content was erased. Only what refers to it still needs the row.';
COMMENT ON COLUMN issues.erased_at IS 'When its content was erased. Only what refers to it still needs the row.';
COMMENT ON COLUMN kb_articles.erased_at IS 'When its content was erased. Only what refers to it still needs the row.';
