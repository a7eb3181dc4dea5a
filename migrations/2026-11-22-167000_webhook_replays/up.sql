-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE webhook_replays (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz,
    events text[],
    only_failed boolean NOT NULL,
    state text NOT NULL CONSTRAINT webhook_replays_state_check CHECK (state IN ('running', 'completed', 'cancelled')),
    matched bigint NOT NULL CONSTRAINT webhook_replays_matched_check CHECK (matched >= 0),
    queued bigint NOT NULL CONSTRAINT webhook_replays_queued_check CHECK (queued >= 0),
    examined_to uuid NOT NULL,
    last_event_id uuid NOT NULL,
    created_by_type text NOT NULL CONSTRAINT webhook_replays_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_replays_subscription_fkey FOREIGN KEY (workspace_id, subscription_id)
        REFERENCES webhook_subscriptions (workspace_id, id),
    CONSTRAINT webhook_replays_finished_check CHECK ((finished_at IS NULL) = (state = 'running'))
);
-- One at a time for each subscription; dispatchers walk through it.
CREATE UNIQUE INDEX webhook_replays_running ON webhook_replays (workspace_id, subscription_id) WHERE state = 'running';
CREATE INDEX webhook_replays_newest ON webhook_replays (workspace_id, subscription_id, created_at DESC, id DESC);
-- Not by workspace: it is what finds the oldest to be pruned.
CREATE INDEX webhook_replays_oldest ON webhook_replays (created_at);
COMMENT ON TABLE webhook_replays IS 'Requests to queue past events again for a subscription, and how far each has come.';
COMMENT ON COLUMN webhook_replays.until IS 'Exclusive. Null: everything that was in the log when it was asked for.';
COMMENT ON COLUMN webhook_replays.events IS 'Canonical names; null for all that the subscription asks for.';
COMMENT ON COLUMN webhook_replays.only_failed IS 'Of events whose latest delivery to the subscription failed.';
COMMENT ON COLUMN webhook_replays.matched IS 'Counted when it was asked for.';
COMMENT ON COLUMN webhook_replays.examined_to IS 'The event up to which it has come: of ids up to here, nothing is queued again.';
COMMENT ON COLUMN webhook_replays.last_event_id IS 'The last event that it examines.';

ALTER TABLE webhook_deliveries ADD COLUMN replay_id uuid;
COMMENT ON COLUMN webhook_deliveries.replay_id IS
    'The replay that queued it. No reference: replays and deliveries are pruned independently.';
-- What a replay of failed deliveries reads: the failed ones in the order of their events, and what replays have made of
-- them. A delivery gets here when it fails, not when it is queued.
CREATE INDEX webhook_deliveries_to_replay ON webhook_deliveries (workspace_id, subscription_id, event_id)
    WHERE (state = 'failed' OR replay_id IS NOT NULL) AND event_id IS NOT NULL;

CREATE FUNCTION queue_webhook_replay(
    of_workspace uuid, of_subscription uuid, at timestamptz, most bigint, most_due bigint, batch bigint,
    OUT deliveries bigint, OUT examined bigint
) LANGUAGE plpgsql AS $$
DECLARE
    replay webhook_replays;
    room bigint;
    candidates uuid[];
    matches bigint;
    reached uuid;
    is_over boolean;
BEGIN
    deliveries := 0;
    examined := 0;
    -- The subscription first, as everywhere: the lock waits for a deletion under way, which cancels the replay.
    PERFORM FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND id = of_subscription AND enabled AND deleted_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT * INTO replay FROM webhook_replays
        WHERE workspace_id = of_workspace AND subscription_id = of_subscription AND state = 'running'
        FOR UPDATE SKIP LOCKED;
    -- What happens now goes first: while events wait for room, the past waits behind them.
    IF NOT FOUND OR EXISTS (SELECT FROM webhook_backlog WHERE workspace_id = of_workspace)
        OR NOT pg_try_advisory_xact_lock(webhook_queue_lock(of_workspace)) THEN
        RETURN;
    END IF;
    -- Half of the room is left to new events, and few deliveries are due before those of a new event.
    most := greatest(most / 2, 1);
    most_due := least(most_due, most);
    room := most - count_waiting_webhook_deliveries(of_workspace, most);
    room := least(room, most_due - (SELECT count(*) FROM (
        SELECT FROM webhook_deliveries
        WHERE state IN ('pending', 'retrying') AND workspace_id = of_workspace AND subscription_id = of_subscription
            AND next_attempt_at <= at
        ORDER BY next_attempt_at LIMIT most_due) AS due));
    -- Few large steps rather than many small ones.
    IF room <= 0 OR room < most_due / 2 THEN
        RETURN;
    END IF;
    IF replay.only_failed THEN
        candidates := ARRAY(
            SELECT event_id FROM webhook_deliveries
            WHERE workspace_id = of_workspace AND subscription_id = of_subscription
                AND event_id > replay.examined_to AND event_id <= replay.last_event_id
                AND (state = 'failed' OR replay_id IS NOT NULL)
            GROUP BY event_id HAVING (array_agg(state ORDER BY created_at DESC, id DESC))[1] = 'failed'
            ORDER BY event_id LIMIT batch);
    ELSE
        candidates := ARRAY(
            SELECT id FROM events
            WHERE workspace_id = of_workspace AND id > replay.examined_to AND id <= replay.last_event_id
            ORDER BY id LIMIT batch);
    END IF;
    WITH matching AS MATERIALIZED (
        SELECT candidate.event_id, event.event AS name, row_number() OVER (ORDER BY candidate.place) AS place
        FROM unnest(candidates) WITH ORDINALITY AS candidate (event_id, place)
        CROSS JOIN LATERAL (
            SELECT module, event, scope_id, former_scope_id FROM events
            WHERE workspace_id = of_workspace AND id = candidate.event_id AND internal IS NOT TRUE
                AND created_at >= replay.since AND (replay.until IS NULL OR created_at < replay.until)
                AND (replay.events IS NULL OR event = ANY (replay.events))
            OFFSET 0
        ) AS event
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.id = of_subscription AND subscription.module = event.module
            AND subscription.events && ARRAY[event.event, '*']
            AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope_id, event.former_scope_id))
    ), added AS (
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at, replay_id)
            -- Due in the order of the log, and all of them now.
            SELECT of_workspace, uuid_v7(at, place), of_subscription, name, event_id, 'pending', 0,
                at - (room - place) * interval '1 microsecond', at, replay.id
            FROM matching WHERE place <= room
        RETURNING id
    )
    SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM matching),
        (SELECT event_id FROM matching WHERE place = room) INTO deliveries, matches, reached;
    examined := cardinality(candidates);
    is_over := examined < batch AND matches <= room;
    IF matches <= room THEN
        reached := candidates[examined];
    END IF;
    UPDATE webhook_replays SET examined_to = coalesce(reached, examined_to), queued = replay.queued + deliveries,
        state = CASE WHEN is_over THEN 'completed' ELSE 'running' END, finished_at = CASE WHEN is_over THEN at END
        WHERE workspace_id = of_workspace AND id = replay.id;
    IF is_over THEN
        -- It is a step, also if it found nothing.
        examined := examined + 1;
    END IF;
END
$$;
COMMENT ON FUNCTION queue_webhook_replay IS
    'Queues the next deliveries of a subscription''s replay, as far as there is room. One caller at a time; of others, none waits.';
