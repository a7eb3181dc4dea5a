-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE webhook_subscriptions (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    module text NOT NULL CONSTRAINT webhook_subscriptions_module_check CHECK (module IN ('projects', 'support', 'crm',
        'scheduling', 'contracts', 'time', 'procurement', 'planning', 'goals', 'surveys', 'subscriptions', 'marketing')),
    url text NOT NULL,
    description text,
    events text[] NOT NULL CONSTRAINT webhook_subscriptions_events_check CHECK (cardinality(events) > 0),
    scope_id uuid,
    enabled boolean NOT NULL,
    disabled_reason text CONSTRAINT webhook_subscriptions_disabled_reason_check
        CHECK (disabled_reason IN ('gone', 'failing')),
    secret_key_id text NOT NULL,
    secret bytea NOT NULL,
    next_secret_key_id text,
    next_secret bytea,
    overlap_ends_at timestamptz,
    failing_since timestamptz,
    version bigint NOT NULL CONSTRAINT webhook_subscriptions_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CONSTRAINT webhook_subscriptions_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_subscriptions_enabled_check CHECK (NOT (enabled AND disabled_reason IS NOT NULL)),
    CONSTRAINT webhook_subscriptions_next_secret_check
        CHECK (num_nulls(next_secret_key_id, next_secret, overlap_ends_at) IN (0, 3))
) WITH (fillfactor = 80);
CREATE INDEX webhook_subscriptions_newest ON webhook_subscriptions (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL;
-- Asked by every write of a workspace.
CREATE INDEX webhook_subscriptions_listening ON webhook_subscriptions (workspace_id, module)
    WHERE enabled AND deleted_at IS NULL;
-- Not by workspace: it is what finds those to be disabled.
CREATE INDEX webhook_subscriptions_failing ON webhook_subscriptions (failing_since)
    WHERE failing_since IS NOT NULL AND enabled AND deleted_at IS NULL;
COMMENT ON TABLE webhook_subscriptions IS 'Who is told of events. Secrets are sealed with a master key that is not here.';
COMMENT ON COLUMN webhook_subscriptions.events IS 'Canonical names, or * for all of the module.';
COMMENT ON COLUMN webhook_subscriptions.scope_id IS
    'The project, booking link or contract that it is narrowed to; no reference, since some are kept elsewhere.';
COMMENT ON COLUMN webhook_subscriptions.disabled_reason IS 'Null where people disabled it, or nobody did.';
COMMENT ON COLUMN webhook_subscriptions.secret_key_id IS 'Which master key opens the secret.';
COMMENT ON COLUMN webhook_subscriptions.next_secret IS 'Signs beside the secret until overlap_ends_at, and alone from then on.';
COMMENT ON COLUMN webhook_subscriptions.failing_since IS
    'The first failure since the last success; moves without the version.';

CREATE TABLE webhook_deliveries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    event text NOT NULL,
    body text NOT NULL,
    state text NOT NULL CONSTRAINT webhook_deliveries_state_check
        CHECK (state IN ('pending', 'delivering', 'retrying', 'succeeded', 'failed', 'cancelled')),
    attempts integer NOT NULL CONSTRAINT webhook_deliveries_attempts_check CHECK (attempts >= 0),
    next_attempt_at timestamptz,
    first_attempt_at timestamptz,
    lease_owner uuid,
    lease_until timestamptz,
    redelivery_of uuid,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_deliveries_subscription_fkey FOREIGN KEY (workspace_id, subscription_id)
        REFERENCES webhook_subscriptions (workspace_id, id),
    CONSTRAINT webhook_deliveries_lease_check CHECK (num_nulls(lease_owner, lease_until)
        = CASE state WHEN 'delivering' THEN 0 ELSE 2 END),
    CONSTRAINT webhook_deliveries_finished_check CHECK (num_nulls(finished_at, next_attempt_at) = 1
        AND (finished_at IS NULL) = (state IN ('pending', 'delivering', 'retrying')))
-- Every row is written three times, and never in place, since indexes have its state: room on its page for two more
-- versions, and a vacuum long before the indexes have more dead entries than live ones.
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_limit = 2000, autovacuum_analyze_scale_factor = 0.05);
-- The queue: each subscription's, the one due first at the head.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (workspace_id, subscription_id, next_attempt_at)
    WHERE state IN ('pending', 'retrying');
-- All that a disabled subscription gets.
CREATE INDEX webhook_deliveries_tests ON webhook_deliveries (workspace_id, subscription_id, next_attempt_at)
    WHERE state IN ('pending', 'retrying') AND event = 'webhook.test';
-- What dispatchers have in hand is little, and is looked through as a whole for leases that are over.
CREATE INDEX webhook_deliveries_delivering ON webhook_deliveries (workspace_id, subscription_id, lease_until)
    WHERE state = 'delivering';
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (workspace_id, subscription_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries
    (workspace_id, subscription_id, state, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries
    (workspace_id, subscription_id, event, created_at DESC, id DESC);
-- Not by workspace: it is what finds the oldest to be pruned.
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (created_at)
    WHERE state IN ('succeeded', 'failed', 'cancelled');
COMMENT ON TABLE webhook_deliveries IS
    'An event for a subscription: queued in the transaction of what happened, sent by dispatchers, and history then.';
COMMENT ON COLUMN webhook_deliveries.body IS 'To the byte as it is sent; its id stands first in it.';
COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS 'Kept while it is being sent: it is due again if the lease runs out.';
COMMENT ON COLUMN webhook_deliveries.first_attempt_at IS 'When the first attempt began that is counted.';
COMMENT ON COLUMN webhook_deliveries.lease_owner IS 'The dispatcher that has it in hand.';
COMMENT ON COLUMN webhook_deliveries.redelivery_of IS 'No reference: what it repeats is pruned before it.';

CREATE TABLE webhook_attempts (
    workspace_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number integer NOT NULL CONSTRAINT webhook_attempts_number_check CHECK (number >= 1),
    started_at timestamptz NOT NULL,
    duration_ms bigint NOT NULL CONSTRAINT webhook_attempts_duration_ms_check CHECK (duration_ms >= 0),
    status integer,
    error text,
    response text,
    PRIMARY KEY (workspace_id, delivery_id, number),
    CONSTRAINT webhook_attempts_delivery_fkey FOREIGN KEY (workspace_id, delivery_id)
        REFERENCES webhook_deliveries (workspace_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE webhook_attempts IS 'Requests to receivers. They go with their delivery.';
COMMENT ON COLUMN webhook_attempts.response IS 'The beginning of the answer.';

CREATE FUNCTION webhook_delivery_id(at timestamptz, place bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || int2send((28672 + place % 4096)::smallint) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid
$$;
COMMENT ON FUNCTION webhook_delivery_id IS
    'A UUID of version 7 whose twelve bits behind the milliseconds keep the order of events of one statement.';

CREATE FUNCTION has_webhook_listeners(of_workspace uuid, of_module text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN EXISTS (SELECT FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND module = of_module AND enabled AND deleted_at IS NULL);
EXCEPTION WHEN OTHERS THEN
    -- Whoever queues then learns what is wrong, and says so.
    RETURN true;
END
$$;
COMMENT ON FUNCTION has_webhook_listeners IS 'Never fails, whatever is wrong with the queue.';

CREATE FUNCTION enqueue_webhook_events(
    of_workspace uuid, modules text[], names text[], scopes uuid[], endings text[], times timestamptz[],
    OUT queued bigint, OUT failure text
) LANGUAGE plpgsql AS $$
BEGIN
    queued := 0;
    -- Most workspaces have none.
    PERFORM FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND module = ANY (modules) AND enabled AND deleted_at IS NULL LIMIT 1;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- The lock waits for a deletion under way, and looks again then: nothing is queued for what is gone.
    WITH matching AS MATERIALIZED (
        SELECT subscription.id AS subscription_id, event.*, webhook_delivery_id(event.at, event.place) AS id
        FROM unnest(modules, names, scopes, endings, times) WITH ORDINALITY
            AS event (module, name, scope, ending, at, place)
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.module = event.module AND subscription.enabled AND subscription.deleted_at IS NULL
            AND subscription.events && ARRAY[event.name, '*']
            AND (subscription.scope_id IS NULL OR subscription.scope_id = event.scope)
        ORDER BY event.place, subscription.id FOR KEY SHARE OF subscription
    )
    INSERT INTO webhook_deliveries
        (workspace_id, id, subscription_id, event, body, state, attempts, next_attempt_at, created_at)
        SELECT of_workspace, id, subscription_id, name, '{"id":"' || id || '"' || ending, 'pending', 0, at, at
        FROM matching;
    GET DIAGNOSTICS queued = ROW_COUNT;
EXCEPTION WHEN OTHERS THEN
    -- All of it is undone, and nothing else. What a cancelled statement does is not caught, and should not be.
    queued := 0;
    failure := format('%s (%s)', SQLERRM, SQLSTATE);
END
$$;
COMMENT ON FUNCTION enqueue_webhook_events IS
    'Queues a delivery for each enabled subscription that asks for an event. A failure undoes nothing of the caller''s.';
