SET LOCAL lock_timeout = '3s';

DROP INDEX link_requests_network, link_requests_turn;
CREATE INDEX link_requests_due ON link_requests (next_attempt_at, id);
ALTER TABLE link_requests DROP COLUMN turn_at, DROP COLUMN network;
COMMENT ON COLUMN link_requests.email IS 'The address that a ticket is said to have, or that of a person who forgot a password.';
