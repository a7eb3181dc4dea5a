SET LOCAL lock_timeout = '3s';

DROP TABLE mail_recipients;
DROP TABLE mail_hours;
DROP TABLE mail_parts;
DROP TABLE mails;
