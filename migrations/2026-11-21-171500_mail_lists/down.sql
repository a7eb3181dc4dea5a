SET LOCAL lock_timeout = '3s';

DROP INDEX mails_newest_of_all;
DROP INDEX mails_newest;
