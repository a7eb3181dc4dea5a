SET LOCAL lock_timeout = '3s';

-- Files that are imported again find the records that are there by their ids.
DELETE FROM import_refusals
USING imports
WHERE imports.workspace_id = import_refusals.workspace_id AND imports.digest = import_refusals.digest
    AND imports.kind IN ('canned_replies', 'time_entries');
DELETE FROM imports WHERE kind IN ('canned_replies', 'time_entries');
DELETE FROM saved_views WHERE page = 'canned_replies';
DELETE FROM console_undos WHERE kind = 'canned_reply';
ALTER TABLE saved_views ADD CONSTRAINT saved_views_page_check
    CHECK (page IN ('contacts', 'companies', 'deals', 'projects', 'tasks', 'tickets', 'articles'));
ALTER TABLE console_undos ADD CONSTRAINT console_undos_kind_check
    CHECK (kind IN ('contact', 'company', 'deal', 'project', 'cycle', 'task', 'ticket', 'article', 'time_entry'));
ALTER TABLE imports ADD CONSTRAINT imports_kind_check
    CHECK (kind IN ('companies', 'contacts', 'deals', 'projects', 'tasks', 'tickets', 'articles'));
DROP TABLE canned_replies;
