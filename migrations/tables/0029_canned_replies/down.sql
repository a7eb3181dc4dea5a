SET LOCAL lock_timeout = '3s';

DELETE FROM saved_views WHERE page = 'canned_replies';
DELETE FROM console_undos WHERE kind = 'canned_reply';
DELETE FROM imports WHERE kind = 'canned_replies';
ALTER TABLE saved_views ADD CONSTRAINT saved_views_page_check
    CHECK (page IN ('contacts', 'companies', 'deals', 'projects', 'tasks', 'tickets', 'articles'));
ALTER TABLE console_undos ADD CONSTRAINT console_undos_kind_check
    CHECK (kind IN ('contact', 'company', 'deal', 'project', 'cycle', 'task', 'ticket', 'article'));
ALTER TABLE imports ADD CONSTRAINT imports_kind_check
    CHECK (kind IN ('companies', 'contacts', 'deals', 'projects', 'tasks', 'tickets', 'articles'));
DROP TABLE canned_replies;
