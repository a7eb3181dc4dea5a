-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE issues VALIDATE CONSTRAINT issues_ties_check;
ALTER TABLE issues VALIDATE CONSTRAINT issues_deal_fkey;
ALTER TABLE issues VALIDATE CONSTRAINT issues_contact_fkey;
ALTER TABLE issues VALIDATE CONSTRAINT issues_company_fkey;

-- Empty at first: what takes time is one look at each issue.
CREATE INDEX issues_by_deal ON issues (workspace_id, deal_id, kind, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND deal_id IS NOT NULL;
CREATE INDEX issues_by_contact ON issues (workspace_id, contact_id, kind, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND contact_id IS NOT NULL;
CREATE INDEX issues_by_company ON issues (workspace_id, company_id, kind, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND company_id IS NOT NULL;
