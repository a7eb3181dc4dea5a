SET LOCAL lock_timeout = '3s';

DROP TABLE sign_in_links;
DROP TABLE set_up_codes;
