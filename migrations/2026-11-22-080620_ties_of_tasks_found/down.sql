SET LOCAL lock_timeout = '3s';

DROP INDEX issues_by_deal;
DROP INDEX issues_by_contact;
DROP INDEX issues_by_company;
