-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Functions alone change.
SET LOCAL lock_timeout = '3s';

-- In a cluster, the log and the queues have their rows where the records of the workspace are. Each statement of a function there
-- names the workspace, so that it goes to one node; and what a SELECT makes is inserted there, rather than gathered here before, if
-- it reads a row of the workspace.

CREATE FUNCTION append_by_steps(
    of_workspace uuid, ids uuid[], modules text[], names text[], scopes uuid[], former_scopes uuid[], record_types text[],
    record_ids uuid[], versions bigint[], internals boolean[], actor_types text[], actor_ids uuid[], actor_names text[],
    request_ids text[], tools text[], payloads text[], times timestamptz[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(ids) > 4 THEN
        -- They are gathered first, which takes as long as a few single ones.
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
            SELECT of_workspace, event.* FROM unnest(ids, modules, names, scopes, former_scopes, record_types, record_ids,
                versions, internals, actor_types, actor_ids, actor_names, request_ids, tools, payloads, times) AS event;
        INSERT INTO events_unnumbered (workspace_id, event_id) SELECT of_workspace, id FROM unnest(ids) AS id;
        RETURN;
    END IF;
    FOR place IN 1..cardinality(ids) LOOP
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
            VALUES (of_workspace, ids[place], modules[place], names[place], scopes[place], former_scopes[place],
                record_types[place], record_ids[place], versions[place], internals[place], actor_types[place],
                actor_ids[place], actor_names[place], request_ids[place], tools[place], payloads[place], times[place]);
        INSERT INTO events_unnumbered (workspace_id, event_id) VALUES (of_workspace, ids[place]);
    END LOOP;
END
$$;
COMMENT ON FUNCTION append_by_steps IS 'What append_events does in a cluster before it queues.';

CREATE FUNCTION count_waiting_in_cluster(of_workspace uuid, most bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    counted bigint;
BEGIN
    SELECT count(*) INTO counted FROM (
        SELECT FROM webhook_subscriptions AS subscription
        CROSS JOIN LATERAL (
            (SELECT 1 FROM webhook_deliveries
                WHERE state IN ('pending', 'retrying') AND workspace_id = of_workspace
                    AND subscription_id = subscription.id
                ORDER BY next_attempt_at LIMIT most)
            UNION ALL
            (SELECT 1 FROM webhook_deliveries
                WHERE state = 'delivering' AND workspace_id = of_workspace AND subscription_id = subscription.id
                ORDER BY lease_until LIMIT most)
        ) AS waiting
        WHERE subscription.workspace_id = of_workspace AND subscription.enabled AND subscription.deleted_at IS NULL
        LIMIT most
    ) AS counting;
    RETURN counted;
END
$$;
COMMENT ON FUNCTION count_waiting_in_cluster IS
    'What count_waiting_webhook_deliveries does, whose language lets Citus plan nothing that has parameters.';

CREATE FUNCTION try_webhook_queue_lock(of_workspace uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    lock CONSTANT bigint := webhook_queue_lock(of_workspace);
    is_held boolean;
BEGIN
    IF current_setting('citus.version', true) IS NULL THEN
        RETURN pg_try_advisory_xact_lock(lock);
    END IF;
    -- It holds on the node that has the rows, wherever callers are connected.
    SELECT pg_try_advisory_xact_lock(lock) INTO is_held
        FROM (SELECT count(*) FROM webhook_subscriptions WHERE workspace_id = of_workspace) AS here;
    RETURN is_held;
END
$$;
COMMENT ON FUNCTION try_webhook_queue_lock IS
    'Takes the lock of whoever queues many deliveries of a workspace, unless somebody has it. Nobody waits for it.';

CREATE FUNCTION insert_webhook_deliveries(
    of_workspace uuid, ids uuid[], listeners uuid[], names text[], event_ids uuid[], due timestamptz[], made timestamptz[],
    of_replay uuid
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    inserted bigint := 0;
BEGIN
    IF cardinality(ids) > 0 THEN
        -- The row of the subscription makes the shard's node do this.
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at, replay_id)
            SELECT subscription.workspace_id, added.id, subscription.id, added.name, added.event_id, 'pending', 0, added.due_at,
                added.made_at, of_replay
            FROM webhook_subscriptions AS subscription
            JOIN unnest(ids, listeners, names, event_ids, due, made)
                AS added (id, listener, name, event_id, due_at, made_at) ON added.listener = subscription.id
            WHERE subscription.workspace_id = of_workspace;
        GET DIAGNOSTICS inserted = ROW_COUNT;
    END IF;
    RETURN inserted;
END
$$;
COMMENT ON FUNCTION insert_webhook_deliveries IS 'Inserts deliveries with ids that were made before: Citus lets no shard make any.';

CREATE OR REPLACE FUNCTION append_events(
    of_workspace uuid, modules text[], names text[], scopes uuid[], former_scopes uuid[], record_types text[],
    record_ids uuid[], versions bigint[], internals boolean[], actor_types text[], actor_ids uuid[], actor_names text[],
    request_ids text[], tools text[], payloads text[], times timestamptz[], most bigint,
    OUT queued bigint, OUT behind bigint, OUT failure text
) LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[];
BEGIN
    -- What fails here fails the caller.
    IF current_setting('citus.version', true) IS NOT NULL THEN
        ids := ARRAY(SELECT event_id(at, place) FROM unnest(times) WITH ORDINALITY AS event (at, place) ORDER BY place);
        PERFORM append_by_steps(of_workspace, ids, modules, names, scopes, former_scopes, record_types, record_ids, versions,
            internals, actor_types, actor_ids, actor_names, request_ids, tools, payloads, times);
        SELECT * INTO queued, behind, failure
            FROM queue_webhook_deliveries(of_workspace, ids, modules, names, scopes, former_scopes, internals, times, most);
        RETURN;
    END IF;
    WITH incoming AS MATERIALIZED (
        SELECT *, event_id(at, place) AS id FROM unnest(modules, names, scopes, former_scopes, record_types, record_ids,
            versions, internals, actor_types, actor_ids, actor_names, request_ids, tools, payloads, times) WITH ORDINALITY
            AS event (module, name, scope, former_scope, record_type, record_id, version, internal, actor_type, actor_id,
                actor_name, request_id, tool, payload, at, place)
    ), stored AS (
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
            SELECT of_workspace, id, module, name, scope, former_scope, record_type, record_id, version, internal,
                actor_type, actor_id, actor_name, request_id, tool, payload, at
            FROM incoming
    ), unnumbered AS (
        INSERT INTO events_unnumbered (workspace_id, event_id) SELECT of_workspace, id FROM incoming
    )
    SELECT array_agg(id ORDER BY place) INTO ids FROM incoming;
    SELECT * INTO queued, behind, failure
        FROM queue_webhook_deliveries(of_workspace, ids, modules, names, scopes, former_scopes, internals, times, most);
END
$$;

CREATE OR REPLACE FUNCTION queue_matching_deliveries(
    of_workspace uuid, ids uuid[], modules text[], names text[], scopes uuid[], former_scopes uuid[], internals boolean[],
    times timestamptz[], room bigint, most bigint,
    OUT queued bigint, OUT behind bigint
) LANGUAGE plpgsql AS $$
DECLARE
    places bigint[];
    subscriptions uuid[];
    fitting boolean[];
    made uuid[];
    listeners uuid[];
    happened text[];
    events_of uuid[];
    due timestamptz[];
BEGIN
    SELECT array_agg(matched.place ORDER BY matched.number), array_agg(matched.subscription_id ORDER BY matched.number),
            array_agg(matched.until_here <= room OR room = most AND matched.until_here = matched.many ORDER BY matched.number)
        INTO places, subscriptions, fitting
        FROM (
            SELECT matching.place, matching.subscription_id, count(*) OVER (PARTITION BY matching.place) AS many,
                -- With all of its place.
                count(*) OVER (ORDER BY matching.place) AS until_here, row_number() OVER () AS number
            FROM (
                SELECT event.place, subscription.id AS subscription_id
                FROM unnest(modules, names, scopes, former_scopes, internals) WITH ORDINALITY
                    AS event (module, name, scope, former_scope, internal, place)
                JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
                    AND subscription.module = event.module AND subscription.enabled AND subscription.deleted_at IS NULL
                    AND subscription.events && ARRAY[event.name, '*'] AND NOT event.internal
                    AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope, event.former_scope))
                ORDER BY event.place, subscription.id FOR KEY SHARE OF subscription
            ) AS matching
        ) AS matched;
    SELECT array_agg(uuid_v7(times[matched.place], matched.place)), array_agg(matched.subscription_id),
            array_agg(names[matched.place]), array_agg(ids[matched.place]), array_agg(times[matched.place])
        INTO made, listeners, happened, events_of, due
        FROM unnest(places, subscriptions, fitting) AS matched (place, subscription_id, fits) WHERE matched.fits;
    queued := insert_webhook_deliveries(of_workspace, made, listeners, happened, events_of, due, due, NULL);
    behind := 0;
    IF false = ANY (fitting) THEN
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at, subscriptions)
            SELECT of_workspace, ids[matched.place], times[matched.place], array_agg(matched.subscription_id)
            FROM unnest(places, subscriptions, fitting) AS matched (place, subscription_id, fits) WHERE NOT matched.fits
            GROUP BY matched.place;
        GET DIAGNOSTICS behind = ROW_COUNT;
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION queue_webhook_deliveries(
    of_workspace uuid, ids uuid[], modules text[], names text[], scopes uuid[], former_scopes uuid[], internals boolean[],
    times timestamptz[], most bigint,
    OUT queued bigint, OUT behind bigint, OUT failure text
) LANGUAGE plpgsql AS $$
DECLARE
    is_cluster CONSTANT boolean := current_setting('citus.version', true) IS NOT NULL;
    listening bigint;
    largest bigint;
    room bigint;
BEGIN
    queued := 0;
    behind := 0;
    -- Most workspaces have none.
    SELECT count(*) INTO listening FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND module = ANY (modules) AND enabled AND deleted_at IS NULL;
    IF listening = 0 THEN
        RETURN;
    END IF;
    largest := listening * cardinality(names);
    IF EXISTS (SELECT FROM webhook_backlog WHERE workspace_id = of_workspace) THEN
        -- Who comes after others that wait for room waits behind them.
        room := 0;
    ELSIF largest > 100 AND NOT try_webhook_queue_lock(of_workspace) THEN
        -- Several who queue many at once would each find the room that the others take. Nobody waits for the lock.
        room := 0;
    ELSIF random() * most < 64 * largest THEN
        room := most - CASE WHEN is_cluster THEN count_waiting_in_cluster(of_workspace, most)
                ELSE count_waiting_webhook_deliveries(of_workspace, most) END;
    ELSE
        -- Counting takes as long as many wait, so few deliveries are added after some count, rather than after each:
        -- on average a 64th of the bound.
        room := most;
    END IF;
    IF is_cluster THEN
        SELECT * INTO queued, behind FROM queue_matching_deliveries(of_workspace, ids, modules, names, scopes, former_scopes,
            internals, times, room, most);
        RETURN;
    END IF;
    -- The lock waits for a deletion under way, and looks again then: nothing is queued for what is gone.
    WITH incoming AS MATERIALIZED (
        SELECT place, id, at FROM unnest(ids, times) WITH ORDINALITY AS event (id, at, place)
    ), matching AS MATERIALIZED (
        SELECT event.place, event.name, subscription.id AS subscription_id
        FROM unnest(modules, names, scopes, former_scopes, internals) WITH ORDINALITY
            AS event (module, name, scope, former_scope, internal, place)
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.module = event.module AND subscription.enabled AND subscription.deleted_at IS NULL
            AND subscription.events && ARRAY[event.name, '*'] AND NOT event.internal
            AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope, event.former_scope))
        ORDER BY event.place, subscription.id FOR KEY SHARE OF subscription
    ), matched AS MATERIALIZED (
        SELECT place, array_agg(subscription_id) AS subscriptions,
            sum(count(*)) OVER (ORDER BY place) <= room
                -- More than may wait at all are queued where nothing waits.
                OR room = most AND sum(count(*)) OVER (ORDER BY place) = count(*) AS fits
        FROM matching GROUP BY place
    ), waiting AS (
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at, subscriptions)
            SELECT of_workspace, incoming.id, incoming.at, matched.subscriptions
            FROM matched JOIN incoming USING (place) WHERE NOT matched.fits
        RETURNING event_id
    ), added AS (
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at)
            SELECT of_workspace, uuid_v7(incoming.at, place), matching.subscription_id, matching.name, incoming.id,
                'pending', 0, incoming.at, incoming.at
            FROM matching JOIN matched USING (place) JOIN incoming USING (place) WHERE matched.fits
        RETURNING id
    )
    SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM waiting) INTO queued, behind;
EXCEPTION WHEN OTHERS THEN
    -- All of it is undone, and nothing else. What a cancelled statement does is not caught, and should not be.
    queued := 0;
    failure := format('%s (%s)', SQLERRM, SQLSTATE);
    BEGIN
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at)
            SELECT of_workspace, id, at FROM unnest(ids, times, internals) AS event (id, at, internal) WHERE NOT internal;
        GET DIAGNOSTICS behind = ROW_COUNT;
    EXCEPTION WHEN OTHERS THEN
        behind := 0;
        failure := format('%s; nor could it be kept for later: %s (%s)', failure, SQLERRM, SQLSTATE);
    END;
END
$$;

CREATE OR REPLACE FUNCTION queue_backlog_by_steps(
    of_workspace uuid, at timestamptz, since timestamptz, room bigint, most bigint, batch bigint,
    OUT queued bigint, OUT ended bigint
) LANGUAGE plpgsql AS $$
DECLARE
    first uuid[] := ARRAY(
        SELECT event_id FROM webhook_backlog WHERE workspace_id = of_workspace ORDER BY event_id LIMIT batch);
    places bigint[];
    names text[];
    subscriptions uuid[];
    taken bigint[];
    made uuid[];
    listeners uuid[];
    happened text[];
    events_of uuid[];
    times timestamptz[];
    due timestamptz[];
    ended_events uuid[];
BEGIN
    SELECT array_agg(matching.place), array_agg(matching.name), array_agg(matching.subscription_id)
        INTO places, names, subscriptions
        FROM (
            SELECT head.place, event.event AS name, subscription.id AS subscription_id
            FROM unnest(first) WITH ORDINALITY AS head (event_id, place)
            JOIN webhook_backlog AS waiting ON waiting.workspace_id = of_workspace AND waiting.event_id = head.event_id
                AND waiting.event_id = ANY (first)
            CROSS JOIN LATERAL (
                SELECT happened.module, happened.event, happened.scope_id, happened.former_scope_id, happened.created_at
                FROM events AS happened
                WHERE happened.workspace_id = of_workspace AND happened.id = head.event_id AND happened.created_at >= since
                OFFSET 0
            ) AS event
            JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
                AND subscription.deleted_at IS NULL AND CASE WHEN waiting.subscriptions IS NOT NULL
                    THEN subscription.id = ANY (waiting.subscriptions)
                    ELSE subscription.module = event.module AND subscription.enabled
                        AND subscription.created_at <= event.created_at
                        AND subscription.events && ARRAY[event.event, '*']
                        AND (subscription.scope_id IS NULL
                            OR subscription.scope_id IN (event.scope_id, event.former_scope_id)) END
            ORDER BY head.place, subscription.id FOR KEY SHARE OF subscription
        ) AS matching;
    taken := ARRAY(
        SELECT counted.place FROM (
            SELECT head.place, count(matching.place) AS many,
                sum(count(matching.place)) OVER (ORDER BY head.place) AS until_here
            FROM unnest(first) WITH ORDINALITY AS head (event_id, place)
            LEFT JOIN unnest(places) AS matching (place) USING (place)
            GROUP BY head.place
        ) AS counted
        WHERE counted.until_here <= room OR room = most AND counted.until_here = counted.many);
    SELECT array_agg(uuid_v7(at, matching.place)), array_agg(matching.subscription_id), array_agg(matching.name),
            array_agg(first[matching.place]), array_agg(at),
            -- Due in their order, and all of them now.
            array_agg(at - (cardinality(first) - matching.place) * interval '1 microsecond')
        INTO made, listeners, happened, events_of, times, due
        FROM unnest(places, names, subscriptions) AS matching (place, name, subscription_id)
        WHERE matching.place = ANY (taken);
    queued := insert_webhook_deliveries(of_workspace, made, listeners, happened, events_of, due, times, NULL);
    ended_events := ARRAY(SELECT first[place] FROM unnest(taken) AS place);
    DELETE FROM webhook_backlog WHERE workspace_id = of_workspace AND event_id = ANY (ended_events);
    GET DIAGNOSTICS ended = ROW_COUNT;
END
$$;

CREATE OR REPLACE FUNCTION queue_webhook_backlog(
    of_workspace uuid, at timestamptz, since timestamptz, most bigint, batch bigint, OUT queued bigint, OUT ended bigint
) LANGUAGE plpgsql AS $$
DECLARE
    is_cluster CONSTANT boolean := current_setting('citus.version', true) IS NOT NULL;
    room bigint;
BEGIN
    queued := 0;
    ended := 0;
    IF NOT try_webhook_queue_lock(of_workspace) THEN
        RETURN;
    END IF;
    room := most - CASE WHEN is_cluster THEN count_waiting_in_cluster(of_workspace, most)
        ELSE count_waiting_webhook_deliveries(of_workspace, most) END;
    IF room <= 0 THEN
        RETURN;
    END IF;
    IF is_cluster THEN
        SELECT * INTO queued, ended FROM queue_backlog_by_steps(of_workspace, at, since, room, most, batch);
        RETURN;
    END IF;
    WITH head AS MATERIALIZED (
        SELECT event_id, subscriptions, row_number() OVER (ORDER BY event_id) AS place
        FROM (SELECT event_id, subscriptions FROM webhook_backlog
            WHERE workspace_id = of_workspace ORDER BY event_id LIMIT batch) AS first
    ), matching AS MATERIALIZED (
        SELECT head.place, head.event_id, event.event AS name, subscription.id AS subscription_id
        FROM head
        CROSS JOIN LATERAL (
            SELECT module, event, scope_id, former_scope_id, created_at FROM events
            WHERE workspace_id = of_workspace AND id = head.event_id AND created_at >= since
            OFFSET 0
        ) AS event
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.deleted_at IS NULL AND CASE WHEN head.subscriptions IS NOT NULL
                THEN subscription.id = ANY (head.subscriptions)
                ELSE subscription.module = event.module AND subscription.enabled
                    AND subscription.created_at <= event.created_at
                    AND subscription.events && ARRAY[event.event, '*']
                    AND (subscription.scope_id IS NULL
                        OR subscription.scope_id IN (event.scope_id, event.former_scope_id)) END
        ORDER BY head.place, subscription.id FOR KEY SHARE OF subscription
    ), taken AS MATERIALIZED (
        SELECT place, event_id FROM (
            SELECT head.place, head.event_id,
                sum(count(matching.place)) OVER (ORDER BY head.place) <= room
                    OR room = most AND sum(count(matching.place)) OVER (ORDER BY head.place) = count(matching.place)
                    AS fits
            FROM head LEFT JOIN matching USING (place) GROUP BY head.place, head.event_id
        ) AS counted WHERE fits
    ), added AS (
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at)
            -- Due in their order, and all of them now.
            SELECT of_workspace, uuid_v7(at, place), matching.subscription_id, matching.name, matching.event_id,
                'pending', 0, at - ((SELECT count(*) FROM head) - place) * interval '1 microsecond', at
            FROM matching JOIN taken USING (place)
        RETURNING id
    ), gone AS (
        DELETE FROM webhook_backlog
        WHERE workspace_id = of_workspace AND event_id = ANY (ARRAY(SELECT event_id FROM taken))
        RETURNING event_id
    )
    SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM gone) INTO queued, ended;
END
$$;

CREATE FUNCTION queue_replay_by_steps(
    of_workspace uuid, of_subscription uuid, of_replay uuid, since timestamptz, until timestamptz, wanted text[], candidates uuid[],
    at timestamptz, room bigint,
    OUT deliveries bigint, OUT matches bigint, OUT reached uuid
) LANGUAGE plpgsql AS $$
DECLARE
    matching uuid[];
    names text[];
BEGIN
    SELECT array_agg(found.event_id ORDER BY found.place), array_agg(found.name ORDER BY found.place) INTO matching, names
        FROM (
            SELECT candidate.event_id, event.event AS name, candidate.place
            FROM unnest(candidates) WITH ORDINALITY AS candidate (event_id, place)
            CROSS JOIN LATERAL (
                SELECT happened.module, happened.event, happened.scope_id, happened.former_scope_id FROM events AS happened
                WHERE happened.workspace_id = of_workspace AND happened.id = candidate.event_id
                    AND happened.internal IS NOT TRUE AND happened.created_at >= since
                    AND (until IS NULL OR happened.created_at < until)
                    AND (wanted IS NULL OR happened.event = ANY (wanted))
                OFFSET 0
            ) AS event
            JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
                AND subscription.id = of_subscription AND subscription.module = event.module
                AND subscription.events && ARRAY[event.event, '*']
                AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope_id, event.former_scope_id))
        ) AS found;
    matches := coalesce(cardinality(matching), 0);
    reached := matching[room];
    SELECT insert_webhook_deliveries(of_workspace, array_agg(uuid_v7(at, place)), array_agg(of_subscription),
            array_agg(names[place]), array_agg(matching[place]),
            -- Due in the order of the log, and all of them now.
            array_agg(at - (room - place) * interval '1 microsecond'), array_agg(at), of_replay)
        INTO deliveries
        FROM generate_series(1, least(matches, room)) AS place;
END
$$;
COMMENT ON FUNCTION queue_replay_by_steps IS 'What queue_webhook_replay does in a cluster, statement by statement.';

CREATE OR REPLACE FUNCTION queue_webhook_replay(
    of_workspace uuid, of_subscription uuid, at timestamptz, most bigint, most_due bigint, batch bigint,
    OUT deliveries bigint, OUT examined bigint
) LANGUAGE plpgsql AS $$
DECLARE
    is_cluster CONSTANT boolean := current_setting('citus.version', true) IS NOT NULL;
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
    IF NOT FOUND OR EXISTS (SELECT FROM webhook_backlog WHERE workspace_id = of_workspace) THEN
        RETURN;
    END IF;
    IF NOT try_webhook_queue_lock(of_workspace) THEN
        RETURN;
    END IF;
    -- Half of the room is left to new events, and few deliveries are due before those of a new event.
    most := greatest(most / 2, 1);
    most_due := least(most_due, most);
    room := most - CASE WHEN is_cluster THEN count_waiting_in_cluster(of_workspace, most)
        ELSE count_waiting_webhook_deliveries(of_workspace, most) END;
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
    IF is_cluster THEN
        SELECT * INTO deliveries, matches, reached
            FROM queue_replay_by_steps(of_workspace, of_subscription, replay.id, replay.since, replay.until, replay.events, candidates,
                at, room);
    ELSE
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
    END IF;
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

CREATE OR REPLACE FUNCTION number_events(of_workspace uuid, most bigint, OUT numbered bigint, OUT last bigint)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    greatest_id uuid;
    beyond uuid;
    ids uuid[];
BEGIN
    numbered := 0;
    IF NOT EXISTS (SELECT FROM events_unnumbered WHERE workspace_id = of_workspace) THEN
        SELECT last_position INTO last FROM event_sequences WHERE workspace_id = of_workspace;
        last := coalesce(last, 0);
        RETURN;
    END IF;
    LOOP
        -- One at a time. The next statement sees what was committed until the lock was granted.
        SELECT last_position, latest INTO last, greatest_id FROM event_sequences
            WHERE workspace_id = of_workspace FOR UPDATE;
        EXIT WHEN FOUND;
        INSERT INTO event_sequences (workspace_id, last_position, latest)
            VALUES (of_workspace, 0, '00000000-0000-0000-0000-000000000000') ON CONFLICT (workspace_id) DO NOTHING;
    END LOOP;
    SELECT event_id INTO beyond FROM events_unnumbered
        WHERE workspace_id = of_workspace ORDER BY event_id OFFSET most LIMIT 1;
    WITH taken AS (
        DELETE FROM events_unnumbered
        WHERE workspace_id = of_workspace AND event_id < coalesce(beyond, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        RETURNING event_id
    )
    -- A record's events have ids in the order of its versions, and a version is never committed before the one that it
    -- follows: who sees an event here sees all of its record with smaller ids.
    SELECT array_agg(event_id ORDER BY event_id) INTO ids FROM taken;
    IF ids IS NULL THEN
        RETURN;
    END IF;
    numbered := cardinality(ids);
    IF current_setting('citus.version', true) IS NOT NULL THEN
        -- The row of the sequence makes the shard's node do this.
        INSERT INTO event_positions (workspace_id, position, event_id, latest)
            SELECT sequence.workspace_id, number_events.last + event.place, event.id, greatest(greatest_id, event.id)
            FROM event_sequences AS sequence CROSS JOIN unnest(ids) WITH ORDINALITY AS event (id, place)
            WHERE sequence.workspace_id = of_workspace;
    ELSE
        INSERT INTO event_positions (workspace_id, position, event_id, latest)
            SELECT of_workspace, last + place, id, greatest(greatest_id, id)
            FROM unnest(ids) WITH ORDINALITY AS event (id, place);
    END IF;
    last := last + numbered;
    UPDATE event_sequences SET last_position = last, latest = greatest(greatest_id, ids[numbered])
        WHERE workspace_id = of_workspace;
    PERFORM pg_notify('events_numbered', of_workspace::text);
END
$$;

CREATE OR REPLACE FUNCTION maintain_event_partitions(at timestamptz, keep interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '200ms' AS $$
DECLARE
    parent text;
    key text;
    month timestamp;
    ended timestamptz;
    partition text;
    old text[] := '{}';
    low uuid;
    high uuid;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('event partitions', 0)) THEN
        RETURN false;
    END IF;
    -- Of Citus, and without it nobody's: a partition is made on all nodes, one shard after the other.
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    FOREACH parent IN ARRAY ARRAY['events', 'event_positions'] LOOP
        key := CASE parent WHEN 'events' THEN 'id' ELSE 'event_id' END;
        FOR step IN 0..3 LOOP
            month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
            partition := parent || '_' || to_char(month, 'YYYY_MM');
            CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
            low := uuid_v7_floor(month AT TIME ZONE 'UTC');
            high := uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC');
            -- Attached rather than created as a partition, which would lock the whole table against reads.
            EXECUTE format('CREATE TABLE %1$I (LIKE %2$I, PRIMARY KEY (%6$s), CONSTRAINT month CHECK (%3$I >= %4$L AND %3$I < %5$L))',
                partition, parent, key, low, high,
                CASE parent WHEN 'events' THEN 'workspace_id, id' ELSE 'workspace_id, position, event_id' END);
            EXECUTE format('WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *)
                INSERT INTO %5$I SELECT * FROM moved', parent || '_default', key, low, high, partition);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, partition, low, high);
            EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', partition);
            EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'A month in UTC.');
        END LOOP;
    END LOOP;
    FOR partition IN
        SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent IN ('events'::regclass, 'event_positions'::regclass)
            AND child.relname ~ '^(events|event_positions)_[0-9]{4}_[0-9]{2}$'
        ORDER BY right(child.relname, 7), child.relname
    LOOP
        ended := (to_date(right(partition, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC';
        EXIT WHEN ended + keep > at;
        -- What waits to be sent is composed from its event: such a month stays, with all later ones. Nothing waits longer
        -- than twice 30 days where a dispatcher runs, and where none does, months do not pile up for ever.
        PERFORM FROM webhook_backlog WHERE created_at < ended AND created_at > at - interval '60 days' LIMIT 1;
        EXIT WHEN FOUND;
        PERFORM FROM webhook_deliveries
            WHERE state IN ('pending', 'retrying', 'delivering') AND event_id < uuid_v7_floor(ended)
                AND created_at > at - interval '60 days' LIMIT 1;
        EXIT WHEN FOUND;
        old := old || partition;
    END LOOP;
    IF old <> '{}' THEN
        -- In the order in which readers lock them: neither waits for the other then.
        LOCK TABLE ONLY event_positions, ONLY events IN ACCESS EXCLUSIVE MODE;
        FOREACH partition IN ARRAY old LOOP
            EXECUTE format('DROP TABLE %I', partition);
        END LOOP;
    END IF;
    -- What is there came with a time outside of all months, such as that of a wrong clock.
    DELETE FROM events_default WHERE id < uuid_v7_floor(at - keep);
    DELETE FROM event_positions_default WHERE event_id < uuid_v7_floor(at - keep);
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nobody is made to wait for this: it is tried again within minutes.
    RETURN false;
END
$$;
DO $$
BEGIN
    -- Replacing the function forgets it.
    EXECUTE format('ALTER FUNCTION maintain_event_partitions SET search_path = %I, pg_temp', current_schema());
END
$$;
