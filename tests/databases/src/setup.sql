-- Additions to the schema for the databases of `TestPorts`.

-- The clock of a test stands still, so events get ids in the order in which they are written.
CREATE SEQUENCE written_events;
CREATE OR REPLACE FUNCTION event_id(at timestamptz, place bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || int2send((28672 + extract(microseconds FROM at)::bigint % 1000 * 4)::smallint)
        || int2send((-32768)::smallint) || substring(int8send(nextval('written_events')) FROM 3), 'hex')::uuid
$$;

-- Fails transactions of `TestPorts::checked_store` that write a record without an event of its version.
CREATE FUNCTION record_has_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    stored jsonb;
    expected_version bigint;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.version, NEW.updated_at, NEW.deleted_at)
            IS NOT DISTINCT FROM (OLD.version, OLD.updated_at, OLD.deleted_at) THEN
            -- A change without a new version, such as whose turn it is in a conversation, needs no event. The comment has one.
            RETURN NULL;
        END IF;
    END IF;
    EXECUTE format('SELECT to_jsonb(stored) FROM %I AS stored WHERE workspace_id = $1 AND id = $2', TG_TABLE_NAME)
        INTO stored USING NEW.workspace_id, NEW.id;
    expected_version := (stored ->> 'version')::bigint;
    IF stored ->> 'deleted_at' IS NOT NULL THEN
        -- Records that are deleted with a project get their events later.
        IF EXISTS (SELECT FROM projects WHERE workspace_id = NEW.workspace_id AND id = (stored ->> 'project_id')::uuid
                AND deleted_at IS NOT NULL) THEN
            RETURN NULL;
        END IF;
        -- The deletion is a version that the row does not store.
        expected_version := expected_version + 1;
    END IF;
    IF NOT EXISTS (
        SELECT FROM events WHERE workspace_id = NEW.workspace_id AND record_id = NEW.id AND version = expected_version
    ) THEN
        RAISE EXCEPTION '% of % was written without an event of version %', NEW.id, TG_TABLE_NAME, expected_version;
    END IF;
    RETURN NULL;
END
$$;

-- The same for comments, which need an event about their record in the transaction that writes them.
CREATE FUNCTION comment_has_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    written jsonb;
    about uuid;
BEGIN
    IF TG_OP = 'DELETE' THEN
        written := to_jsonb(OLD);
    ELSE
        written := to_jsonb(NEW);
    END IF;
    about := coalesce(written ->> 'issue_id', written ->> 'contact_id', written ->> 'company_id', written ->> 'deal_id')::uuid;
    IF NOT EXISTS (SELECT FROM events WHERE workspace_id = (written ->> 'workspace_id')::uuid AND record_id = about
            AND version IS NULL AND xmin = pg_current_xact_id()::xid) THEN
        RAISE EXCEPTION 'a comment on % was written without an event', about;
    END IF;
    RETURN NULL;
END
$$;

-- The tables with this column are exactly those of the kinds of records.
DO $$ DECLARE
    kind regclass;
BEGIN
    FOR kind IN SELECT attrelid::regclass FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            WHERE attname = 'erased_at' AND relkind = 'r' LOOP
        EXECUTE format('CREATE CONSTRAINT TRIGGER has_event AFTER INSERT OR UPDATE ON %s DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (current_setting(''tests.check_events'', true) = ''on'')
            EXECUTE FUNCTION record_has_event()', kind);
    END LOOP;
END $$;
CREATE CONSTRAINT TRIGGER has_event AFTER INSERT OR UPDATE OR DELETE ON comments DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (current_setting('tests.check_events', true) = 'on') EXECUTE FUNCTION comment_has_event();
CREATE CONSTRAINT TRIGGER has_event AFTER INSERT OR UPDATE OR DELETE ON record_comments DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (current_setting('tests.check_events', true) = 'on') EXECUTE FUNCTION comment_has_event();
