SET LOCAL lock_timeout = '3s';

DROP TABLE ticket_reads;
DROP INDEX issues_waiting;
DROP INDEX issues_open_by_due;
DROP INDEX issues_open_of_assignee_by_turn;
DROP INDEX issues_open_by_turn;
DROP INDEX issues_by_turn;
ALTER TABLE issues
    DROP COLUMN last_message_at,
    DROP COLUMN waiting_since,
    DROP COLUMN answered_at,
    DROP COLUMN customer_wrote_at;
