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
                -- Includes all rows of the same place.
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
COMMENT ON FUNCTION queue_matching_deliveries IS
    'Does in a cluster what queue_webhook_deliveries does, statement by statement: queues as many deliveries as there is room for.';
REVOKE ALL ON FUNCTION queue_matching_deliveries FROM PUBLIC;
