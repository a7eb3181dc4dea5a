SET LOCAL lock_timeout = '3s';

DROP TABLE sign_in_challenges;
DROP TABLE second_factors;
ALTER TABLE workspaces DROP COLUMN require_second_factor;
