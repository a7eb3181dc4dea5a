SET LOCAL lock_timeout = '3s';

DROP TABLE link_requests;
DROP TABLE set_up_codes;
DROP TABLE sign_in_links;
DROP TABLE sign_in_challenges;
DROP TABLE second_factors;
DROP TABLE sign_ins;
DROP TABLE password_resets;
DROP TABLE credential_changes;
DROP TABLE sessions;
DROP TABLE api_keys;
