-- The member responsible for a contact or a company. The previous release can run on it: it names its columns, and leaves this one empty or as
-- it is.
--
-- The column is empty in every row: to check the foreign keys and to build the indexes reads each table, and writes no row.
SET LOCAL lock_timeout = '3s';

ALTER TABLE companies ADD COLUMN assigned_to uuid;
ALTER TABLE companies ADD CONSTRAINT companies_assigned_to_fkey FOREIGN KEY (workspace_id, assigned_to)
    REFERENCES members(workspace_id, user_id);
CREATE INDEX companies_by_assignee ON companies (workspace_id, assigned_to, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND assigned_to IS NOT NULL;

ALTER TABLE contacts ADD COLUMN assigned_to uuid;
ALTER TABLE contacts ADD CONSTRAINT contacts_assigned_to_fkey FOREIGN KEY (workspace_id, assigned_to)
    REFERENCES members(workspace_id, user_id);
CREATE INDEX contacts_by_assignee ON contacts (workspace_id, assigned_to, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND assigned_to IS NOT NULL;
