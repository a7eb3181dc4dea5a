-- The orders of lists by a member, each in both directions: an index is read from either end. Records without the member's value have one
-- beyond all others, so that they are at one end. The previous release can run on it: it does not ask for these indexes.
--
-- What they cost: each write of a company, contact or deal also writes an entry of one more index, and each of a project, task or ticket
-- those of two. Names are cut, so that an entry has at most 160 bytes of them.
--
-- To build one reads its table once, and waits for nothing but running writes, which wait for it.
SET LOCAL lock_timeout = '3s';

CREATE INDEX companies_by_name ON companies (workspace_id, left(lower(name COLLATE "C"), 40), id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_name ON contacts (workspace_id,
        left(lower(coalesce(first_name || ' ' || last_name, first_name, last_name, email) COLLATE "C"), 40), id)
    WHERE deleted_at IS NULL;
CREATE INDEX deals_in_order_of_close ON deals (workspace_id, coalesce(expected_close_date, 'infinity'), id) WHERE deleted_at IS NULL;
CREATE INDEX projects_by_name ON projects (workspace_id, left(lower(name COLLATE "C"), 40), id) WHERE deleted_at IS NULL;
CREATE INDEX projects_in_order_of_end ON projects (workspace_id, coalesce(end_date, 'infinity'), id) WHERE deleted_at IS NULL;
CREATE INDEX issues_in_order_of_due ON issues (workspace_id, kind, coalesce(due_at, 'infinity'), id) WHERE deleted_at IS NULL;
CREATE INDEX issues_in_order_of_priority ON issues (workspace_id, kind,
        (CASE priority WHEN 'low' THEN 1 WHEN 'medium' THEN 2 WHEN 'high' THEN 3 ELSE 4 END), id)
    WHERE deleted_at IS NULL;
