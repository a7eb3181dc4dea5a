-- Webhook subscriptions, their deliveries, and replays of past events.
SET LOCAL lock_timeout = '3s';

CREATE TABLE webhook_subscriptions (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    module text NOT NULL,
    url text NOT NULL,
    description text,
    events text[] NOT NULL CHECK (cardinality(events) > 0),
    scope_id uuid,
    enabled boolean NOT NULL,
    disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
    secret_key_id text NOT NULL,
    secret bytea NOT NULL,
    next_secret_key_id text,
    next_secret bytea,
    overlap_ends_at timestamptz,
    failing_since timestamptz,
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    next_secret_ends_at timestamptz,
    last_secret_key_id text,
    last_secret bytea,
    maker_type text CHECK (maker_type IN ('api_key', 'user', 'system')),
    maker_id uuid,
    maker_notice_at timestamptz,
    header_names text[],
    headers_key_id text,
    headers bytea,
    failing_told_at timestamptz,
    disabled_told_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_subscriptions_enabled_check CHECK (NOT (enabled AND disabled_reason IS NOT NULL)),
    CONSTRAINT webhook_subscriptions_headers_check CHECK (num_nulls(header_names, headers_key_id, headers) IN (0, 3)),
    CONSTRAINT webhook_subscriptions_last_secret_check CHECK (num_nulls(next_secret_ends_at, last_secret_key_id,
        last_secret) IN (0, 3) AND (last_secret IS NULL OR next_secret IS NOT NULL)),
    CHECK (module IN ('projects', 'support', 'crm', 'scheduling', 'contracts', 'time', 'procurement', 'planning',
        'goals', 'surveys', 'subscriptions', 'marketing')),
    CONSTRAINT webhook_subscriptions_next_secret_check CHECK (num_nulls(next_secret_key_id, next_secret,
        overlap_ends_at) IN (0, 3))
) WITH (fillfactor = 80);
CREATE INDEX webhook_subscriptions_newest ON webhook_subscriptions (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX webhook_subscriptions_listening ON webhook_subscriptions (workspace_id, module) WHERE enabled AND deleted_at IS NULL;
CREATE INDEX webhook_subscriptions_failing ON webhook_subscriptions (failing_since)
    WHERE failing_since IS NOT NULL AND enabled AND deleted_at IS NULL;
CREATE INDEX webhook_subscriptions_failing_untold ON webhook_subscriptions (failing_since)
    WHERE failing_since IS NOT NULL AND enabled AND deleted_at IS NULL AND (failing_told_at IS NULL
        OR failing_told_at < failing_since);
CREATE INDEX webhook_subscriptions_disabled_untold ON webhook_subscriptions (updated_at)
    WHERE disabled_reason IS NOT NULL AND disabled_told_at IS NULL AND deleted_at IS NULL;
CREATE INDEX webhook_subscriptions_maker_notice ON webhook_subscriptions (maker_notice_at)
    WHERE maker_notice_at IS NOT NULL AND deleted_at IS NULL;
COMMENT ON TABLE webhook_subscriptions IS 'Receivers of events. Secrets are sealed with a master key that is not in the database.';
COMMENT ON COLUMN webhook_subscriptions.events IS 'Canonical names, or * for all events of the module.';
COMMENT ON COLUMN webhook_subscriptions.scope_id IS
    'The project, booking link or contract that it is limited to. No foreign key: some are kept in other systems.';
COMMENT ON COLUMN webhook_subscriptions.disabled_reason IS 'Why the service disabled it; null if it is enabled or a user disabled it.';
COMMENT ON COLUMN webhook_subscriptions.secret_key_id IS 'The master key that sealed the secret.';
COMMENT ON COLUMN webhook_subscriptions.secret IS
    'The oldest valid secret. It is the only one except during the overlap of a rotation.';
COMMENT ON COLUMN webhook_subscriptions.next_secret IS 'Signs along with secret until overlap_ends_at, and alone after that.';
COMMENT ON COLUMN webhook_subscriptions.overlap_ends_at IS 'When secret stops signing, if there is a next_secret.';
COMMENT ON COLUMN webhook_subscriptions.failing_since IS
    'First failure since the last success. Changes to it do not increase version.';
COMMENT ON COLUMN webhook_subscriptions.next_secret_ends_at IS 'When next_secret stops signing, if there is a last_secret.';
COMMENT ON COLUMN webhook_subscriptions.last_secret IS 'A third secret, if it was rotated again during an overlap.';
COMMENT ON COLUMN webhook_subscriptions.maker_type IS
    'Who last saved it. Null: not saved since makers are recorded, so created_by is the maker.';
COMMENT ON COLUMN webhook_subscriptions.maker_notice_at IS
    'When to notify owners that its maker is no longer active: when the key expires, or when the maker
was revoked or removed. Null once they were notified.';
COMMENT ON COLUMN webhook_subscriptions.headers IS 'Names and values of the custom headers, sealed for this row.';
COMMENT ON COLUMN webhook_subscriptions.failing_told_at IS
    'When owners and admins were notified that it is failing. Covers the run of failures that began before.';
COMMENT ON COLUMN webhook_subscriptions.disabled_told_at IS 'When owners and admins were notified that the service disabled it.';

CREATE TABLE webhook_replays (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz,
    events text[],
    only_failed boolean NOT NULL,
    state text NOT NULL CHECK (state IN ('running', 'completed', 'cancelled')),
    matched bigint NOT NULL CHECK (matched >= 0),
    queued bigint NOT NULL CHECK (queued >= 0),
    examined_to uuid NOT NULL,
    last_event_id uuid NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_replays_subscription_fkey FOREIGN KEY (workspace_id, subscription_id)
        REFERENCES webhook_subscriptions(workspace_id, id),
    CONSTRAINT webhook_replays_finished_check CHECK ((finished_at IS NULL) = (state = 'running'))
);
CREATE UNIQUE INDEX webhook_replays_running ON webhook_replays (workspace_id, subscription_id) WHERE state = 'running';
CREATE INDEX webhook_replays_newest ON webhook_replays (workspace_id, subscription_id, created_at DESC, id DESC);
CREATE INDEX webhook_replays_oldest ON webhook_replays (created_at);
COMMENT ON TABLE webhook_replays IS 'Requests to queue past events again for a subscription, and the progress of each.';
COMMENT ON COLUMN webhook_replays.until IS 'Exclusive. Null: everything that was in the log when the replay was requested.';
COMMENT ON COLUMN webhook_replays.events IS 'Canonical names. Null: all events that the subscription asks for.';
COMMENT ON COLUMN webhook_replays.only_failed IS 'Only events whose latest delivery to the subscription failed.';
COMMENT ON COLUMN webhook_replays.matched IS 'Counted when the replay was requested.';
COMMENT ON COLUMN webhook_replays.examined_to IS 'The last event examined. Events with ids up to this one are not queued again.';
COMMENT ON COLUMN webhook_replays.last_event_id IS 'The last event to examine.';

CREATE TABLE webhook_deliveries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    event text NOT NULL,
    body text,
    state text NOT NULL CHECK (state IN ('pending', 'delivering', 'retrying', 'succeeded', 'failed', 'cancelled')),
    attempts integer NOT NULL CHECK (attempts >= 0),
    next_attempt_at timestamptz,
    first_attempt_at timestamptz,
    lease_owner uuid,
    lease_until timestamptz,
    redelivery_of uuid,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    event_id uuid,
    redelivered_at timestamptz,
    attempts_before integer NOT NULL DEFAULT 0,
    failed_reason text CHECK (failed_reason IN ('expired', 'content_lost')),
    erased boolean NOT NULL DEFAULT false,
    replay_id uuid,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_deliveries_subscription_fkey FOREIGN KEY (workspace_id, subscription_id)
        REFERENCES webhook_subscriptions(workspace_id, id),
    CONSTRAINT webhook_deliveries_attempts_before_check CHECK (attempts_before >= 0 AND attempts_before <= attempts),
    CONSTRAINT webhook_deliveries_content_check CHECK (num_nulls(event_id, body) = 1),
    CONSTRAINT webhook_deliveries_finished_check CHECK (num_nulls(finished_at, next_attempt_at) = 1
        AND ((finished_at IS NULL) = (state IN ('pending', 'delivering', 'retrying')))),
    CONSTRAINT webhook_deliveries_lease_check CHECK (num_nulls(lease_owner,
        lease_until) = CASE state WHEN 'delivering' THEN 0 ELSE 2 END)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_limit = 2000, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (workspace_id, subscription_id, next_attempt_at)
    WHERE state IN ('pending', 'retrying');
CREATE INDEX webhook_deliveries_tests ON webhook_deliveries (workspace_id, subscription_id, next_attempt_at)
    WHERE state IN ('pending', 'retrying') AND event = 'webhook.test';
CREATE INDEX webhook_deliveries_delivering ON webhook_deliveries (workspace_id, subscription_id, lease_until)
    WHERE state = 'delivering';
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (workspace_id, subscription_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries (workspace_id, subscription_id, state, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (workspace_id, subscription_id, event, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (created_at) WHERE state IN ('succeeded', 'failed', 'cancelled');
CREATE INDEX webhook_deliveries_to_replay ON webhook_deliveries (workspace_id, subscription_id, event_id)
    WHERE (state = 'failed' OR replay_id IS NOT NULL) AND event_id IS NOT NULL;
COMMENT ON TABLE webhook_deliveries IS
    'An event for a subscription: queued in the transaction that caused it, sent by dispatchers, then kept as history.';
COMMENT ON COLUMN webhook_deliveries.body IS
    'The exact body, for tests and for deliveries from before events were stored. It starts with the id.';
COMMENT ON COLUMN webhook_deliveries.attempts IS 'All attempts, including those before a redelivery.';
COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS 'Kept during an attempt: if the lease expires, the delivery is due again.';
COMMENT ON COLUMN webhook_deliveries.first_attempt_at IS
    'Start of the first attempt, counted from the last redelivery if there was one.';
COMMENT ON COLUMN webhook_deliveries.lease_owner IS 'The dispatcher that is sending it.';
COMMENT ON COLUMN webhook_deliveries.redelivery_of IS 'Set by earlier releases, in which a redelivery was a separate delivery.';
COMMENT ON COLUMN webhook_deliveries.created_at IS 'When it was queued. Events from the backlog are older.';
COMMENT ON COLUMN webhook_deliveries.event_id IS
    'The event whose payload is sent. No foreign key: a month of events is dropped as a whole,
after everything that refers to it.';
COMMENT ON COLUMN webhook_deliveries.redelivered_at IS
    'When a redelivery was last requested. The retry schedule starts again from there.';
COMMENT ON COLUMN webhook_deliveries.attempts_before IS 'Attempts before the last redelivery.';
COMMENT ON COLUMN webhook_deliveries.failed_reason IS 'Why it failed without a further attempt. Null: the last attempt says why.';
COMMENT ON COLUMN webhook_deliveries.erased IS
    'Whether an erasure found a person in what was sent. Responses that arrive later are stored as erased too.';
COMMENT ON COLUMN webhook_deliveries.replay_id IS
    'The replay that queued it. No foreign key: replays and deliveries are pruned independently.';

CREATE TABLE webhook_attempts (
    workspace_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number integer NOT NULL CHECK (number >= 1),
    started_at timestamptz NOT NULL,
    duration_ms bigint NOT NULL CHECK (duration_ms >= 0),
    status integer,
    error text,
    response text,
    manual boolean NOT NULL DEFAULT false,
    PRIMARY KEY (workspace_id, delivery_id, number),
    CONSTRAINT webhook_attempts_delivery_fkey FOREIGN KEY (workspace_id, delivery_id)
        REFERENCES webhook_deliveries(workspace_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE webhook_attempts IS 'Requests to receivers. Deleted with their delivery.';
COMMENT ON COLUMN webhook_attempts.response IS 'The beginning of the response.';
COMMENT ON COLUMN webhook_attempts.manual IS 'Whether it belongs to a redelivery.';

CREATE TABLE webhook_backlog (
    workspace_id uuid NOT NULL,
    event_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    subscriptions uuid[],
    PRIMARY KEY (workspace_id, event_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX webhook_backlog_oldest ON webhook_backlog (created_at);
COMMENT ON TABLE webhook_backlog IS
    'Events whose deliveries are queued later, ordered by id, because the queue was full or queueing failed.';
COMMENT ON COLUMN webhook_backlog.created_at IS 'The time of the event.';
COMMENT ON COLUMN webhook_backlog.subscriptions IS
    'The subscriptions that matched when the event happened. Null if queueing failed: they are matched later.';
