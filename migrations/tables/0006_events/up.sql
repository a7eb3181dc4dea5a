-- The event log, and the order in which followers read it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE events (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    module text NOT NULL,
    event text NOT NULL,
    scope_id uuid,
    payload text NOT NULL,
    created_at timestamptz NOT NULL,
    former_scope_id uuid,
    record_type text,
    record_id uuid,
    version bigint,
    internal boolean,
    actor_type text,
    actor_id uuid,
    actor_name text,
    request_id text,
    tool text,
    PRIMARY KEY (workspace_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX events_record ON events (workspace_id, record_id, id) WHERE record_id IS NOT NULL;
COMMENT ON TABLE events IS 'The event log: every change of a record, once. A partition holds one month and is dropped as a whole.';
COMMENT ON COLUMN events.id IS
    'UUIDv7 with the time of created_at in microseconds. It orders the events of a record and decides the partition.';
COMMENT ON COLUMN events.scope_id IS 'The value of the module''s scope column, if the record has one.';
COMMENT ON COLUMN events.payload IS
    'JSON, byte for byte as webhooks send it. If it begins with U+001A: the length in bytes, U+001A, and the JSON
with references to event_chunks in place of long values. Each reference is U+001A and a digest.';
COMMENT ON COLUMN events.former_scope_id IS 'The scope that the record left with this change. Its subscriptions get the event too.';
COMMENT ON COLUMN events.record_type IS 'The noun in the event name. Null, like record_id, for events reported by other systems.';
COMMENT ON COLUMN events.version IS 'Version of the record; null for what only belongs to a record, such as comments.';
COMMENT ON COLUMN events.internal IS 'Not sent to webhooks. Null, like all later columns, for events from before the log was kept.';
COMMENT ON COLUMN events.actor_name IS 'The name at the time of the event.';

CREATE TABLE events_default PARTITION OF events DEFAULT;
COMMENT ON TABLE events_default IS 'Events of months without a partition. Empty unless partition maintenance has not run for months.';

CREATE TABLE events_unnumbered (
    workspace_id uuid NOT NULL,
    event_id uuid NOT NULL,
    PRIMARY KEY (workspace_id, event_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE events_unnumbered IS 'Committed events that do not have a position yet.';

CREATE TABLE event_sequences (
    workspace_id uuid PRIMARY KEY,
    last_position bigint NOT NULL,
    latest uuid NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE event_sequences IS 'The last position of each workspace. The transaction that assigns positions holds the row lock.';

CREATE TABLE event_positions (
    workspace_id uuid NOT NULL,
    position bigint NOT NULL,
    event_id uuid NOT NULL,
    latest uuid NOT NULL,
    PRIMARY KEY (workspace_id, "position", event_id)
) PARTITION BY RANGE (event_id);
CREATE INDEX event_positions_event ON event_positions (workspace_id, event_id);
COMMENT ON INDEX event_positions_event IS 'Finds the positions of the events of one record.';
COMMENT ON TABLE event_positions IS
    'The order in which followers see events. Has the same partitions as events; they are dropped together.';
COMMENT ON COLUMN event_positions.position IS 'Starts at 1 in each workspace, without gaps.';
COMMENT ON COLUMN event_positions.latest IS
    'Greatest event id up to this position. It never decreases, so a position can be found by time.';

CREATE TABLE event_positions_default PARTITION OF event_positions DEFAULT;
COMMENT ON TABLE event_positions_default IS 'Positions of months without a partition.';

CREATE TABLE event_chunks (
    workspace_id uuid NOT NULL,
    record_id uuid NOT NULL,
    month uuid NOT NULL,
    digest text COLLATE "C" NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (workspace_id, record_id, month, digest)
) PARTITION BY RANGE (month);
COMMENT ON TABLE event_chunks IS
    'Parts of long values in event payloads, stored once per record and month. Has the same partitions as events;
they are dropped together.';
COMMENT ON COLUMN event_chunks.record_id IS 'The record whose events refer to it.';
COMMENT ON COLUMN event_chunks.month IS 'uuid_v7_floor of the month of the events: the lower bound of their partition.';
COMMENT ON COLUMN event_chunks.digest IS 'SHA-256 of the content in Base64, as payloads refer to it.';

CREATE TABLE event_chunks_default PARTITION OF event_chunks DEFAULT;
COMMENT ON TABLE event_chunks_default IS 'Chunks of months without a partition.';
