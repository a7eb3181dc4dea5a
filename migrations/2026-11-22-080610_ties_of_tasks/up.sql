-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- Checked in the next migration, which lets others write meanwhile.
ALTER TABLE issues
    ADD COLUMN deal_id uuid,
    ADD COLUMN contact_id uuid,
    ADD COLUMN company_id uuid,
    ADD CONSTRAINT issues_ties_check CHECK (kind = 'task' OR num_nonnulls(deal_id, contact_id, company_id) = 0) NOT VALID,
    ADD CONSTRAINT issues_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES deals (workspace_id, id) NOT VALID,
    ADD CONSTRAINT issues_contact_fkey FOREIGN KEY (workspace_id, contact_id)
        REFERENCES contacts (workspace_id, id) NOT VALID,
    ADD CONSTRAINT issues_company_fkey FOREIGN KEY (workspace_id, company_id)
        REFERENCES companies (workspace_id, id) NOT VALID;
COMMENT ON COLUMN issues.deal_id IS 'What a task is about, as are contact_id and company_id; null for tickets.';
