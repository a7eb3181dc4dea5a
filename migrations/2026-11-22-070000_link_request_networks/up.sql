-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- At most 10,000 rows, which live for seconds. The defaults are for instances of the release before, which do not name the
-- columns yet.
ALTER TABLE link_requests
    ADD COLUMN network inet NOT NULL DEFAULT '0.0.0.0',
    ADD COLUMN turn_at timestamptz NOT NULL DEFAULT now();
UPDATE link_requests SET turn_at = next_attempt_at, email = lower(email);
COMMENT ON COLUMN link_requests.email IS
    'The address that a ticket is said to have, or that of a user who forgot a password, in lower case.';
COMMENT ON COLUMN link_requests.network IS
    'Where it was sent from: an IPv4 address, or an IPv6 /56. How many may wait is bounded by network.';
COMMENT ON COLUMN link_requests.turn_at IS
    'Its place in the queue: when it was sent, and a second later for each of the same network that waited then.';
DROP INDEX link_requests_due;
-- The queue, the next one at the head.
CREATE INDEX link_requests_turn ON link_requests (turn_at, id);
-- Counts what waits of a network, and of the wider ones around it.
CREATE INDEX link_requests_network ON link_requests (network);
