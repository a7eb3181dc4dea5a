SET LOCAL lock_timeout = '3s';

DROP INDEX contacts_deleted;
DROP INDEX companies_deleted;
DROP INDEX deals_deleted;
DROP INDEX projects_deleted;
DROP INDEX cycles_deleted;
DROP INDEX issues_deleted;
DROP INDEX kb_articles_deleted;
DROP INDEX issues_deleted_with_project;
DROP INDEX contacts_erasable;
DROP INDEX companies_erasable;
DROP INDEX deals_erasable;
DROP INDEX projects_erasable;
DROP INDEX cycles_erasable;
DROP INDEX issues_erasable;
DROP INDEX kb_articles_erasable;
