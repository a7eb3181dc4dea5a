-- Whose turn it is in each ticket's conversation, and how far people have read tickets. The previous release can run on it: it leaves the
-- new columns as they are, so that its messages, statuses and new tickets do not change who waits.
--
-- Only tickets that are not finished get their times from their comments: one lookup in comments_public for each, about 3 s per 100,000 of
-- them. Each index reads the table once, about 1 s per million rows. Until the end, others wait for the table.
SET LOCAL lock_timeout = '3s';

ALTER TABLE issues
    ADD COLUMN customer_wrote_at timestamptz,
    ADD COLUMN answered_at timestamptz,
    ADD COLUMN waiting_since timestamptz,
    ADD COLUMN last_message_at timestamptz;

UPDATE issues SET
    customer_wrote_at = coalesce(said.by_customer, CASE WHEN ticket.requester_email_key IS NOT NULL THEN ticket.created_at END),
    answered_at = said.by_team,
    waiting_since = CASE WHEN said.by_team IS NULL AND ticket.requester_email_key IS NOT NULL THEN ticket.created_at
        ELSE said.unanswered END
FROM issues AS ticket
CROSS JOIN LATERAL (
    SELECT max(created_at) FILTER (WHERE author_type = 'customer') AS by_customer,
        max(created_at) FILTER (WHERE author_type <> 'customer') AS by_team,
        min(created_at) FILTER (WHERE author_type = 'customer' AND created_at > answered_at) AS unanswered
    FROM (
        SELECT created_at, author_type, max(created_at) FILTER (WHERE author_type <> 'customer') OVER () AS answered_at
        FROM comments
        WHERE comments.workspace_id = ticket.workspace_id AND comments.issue_id = ticket.id AND visibility = 'public'
    ) AS comment
) AS said
WHERE ticket.kind = 'ticket' AND ticket.status IN ('open', 'pending', 'on_hold') AND ticket.deleted_at IS NULL
    AND num_nonnulls(said.by_customer, said.by_team, ticket.requester_email_key) > 0
    AND issues.workspace_id = ticket.workspace_id AND issues.id = ticket.id;

-- Each ticket has a number. Only the lists in these orders ask for it: on tables without statistics, other lists would choose these indexes
-- and sort.
CREATE INDEX issues_by_turn ON issues (workspace_id, (coalesce(waiting_since - timestamptz '2500-01-01 00:00:00+00',
        timestamptz '2500-01-01 00:00:00+00' - coalesce(last_message_at, greatest(customer_wrote_at, answered_at), created_at))), id)
    WHERE deleted_at IS NULL AND kind = 'ticket' AND number > 0;
CREATE INDEX issues_open_by_turn ON issues (workspace_id, (coalesce(waiting_since - timestamptz '2500-01-01 00:00:00+00',
        timestamptz '2500-01-01 00:00:00+00' - coalesce(last_message_at, greatest(customer_wrote_at, answered_at), created_at))), id)
    WHERE deleted_at IS NULL AND kind = 'ticket' AND number > 0 AND status IN ('open', 'pending', 'on_hold');
CREATE INDEX issues_open_of_assignee_by_turn ON issues (workspace_id,
        coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'::uuid),
        (coalesce(waiting_since - timestamptz '2500-01-01 00:00:00+00', timestamptz '2500-01-01 00:00:00+00'
            - coalesce(last_message_at, greatest(customer_wrote_at, answered_at), created_at))), id)
    WHERE deleted_at IS NULL AND kind = 'ticket' AND number > 0 AND status IN ('open', 'pending', 'on_hold');
-- The earliest times are those of finished tickets.
CREATE INDEX issues_open_by_due ON issues (workspace_id, coalesce(due_at, 'infinity'), id)
    WHERE deleted_at IS NULL AND kind = 'ticket' AND number > 0 AND status IN ('open', 'pending', 'on_hold');
CREATE INDEX issues_waiting ON issues (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND waiting_since IS NOT NULL;

COMMENT ON COLUMN issues.customer_wrote_at IS
    'Last message of a ticket''s customer, including the one that opened it; null if unknown, as in tickets finished before this column.';
COMMENT ON COLUMN issues.answered_at IS 'Last public answer of the team.';
COMMENT ON COLUMN issues.waiting_since IS
    'The customer''s oldest message without an answer; null if there is none, and in a resolved or closed ticket.';
COMMENT ON COLUMN issues.last_message_at IS
    'Last message of anyone, internal notes included; null in tickets without a message since this column.';

CREATE TABLE ticket_reads (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    ticket_id uuid NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, user_id, ticket_id)
);
CREATE INDEX ticket_reads_latest ON ticket_reads (workspace_id, user_id, seen_at DESC);
COMMENT ON TABLE ticket_reads IS
    'How far people have read tickets. Without foreign keys: rows are read for tickets and members that were found, hold nothing but ids
and a time, and mean nothing after 90 days, when older messages count as read.';
COMMENT ON COLUMN ticket_reads.seen_at IS 'Time of the last message that the user has seen.';
