WITH fast AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS setting)
INSERT INTO issue_counters AS counter (workspace_id, kind, next_number)
SELECT :workspace::uuid, 'task', 2 FROM fast WHERE fast.setting = 'off'
ON CONFLICT (workspace_id, kind) DO UPDATE SET next_number = counter.next_number + 1
RETURNING counter.next_number - 1 AS number \gset
WITH made AS MATERIALIZED (
    SELECT gen_random_uuid() AS id
), incoming AS MATERIALIZED (
    SELECT event_id(now(), 1) AS id
), appended AS (
    INSERT INTO events (workspace_id, id, module, event, record_type, record_id, version, internal,
        actor_type, actor_id, actor_name, request_id, payload, created_at)
    SELECT :workspace::uuid, incoming.id, 'projects', 'task.created', 'task', made.id, 1, false,
        'api_key', :deal::uuid, 'key', :deal::uuid, :payload::jsonb, now()
    FROM incoming, made
), unnumbered AS (
    INSERT INTO events_unnumbered (workspace_id, event_id) SELECT :workspace::uuid, id FROM incoming
), record AS (
    INSERT INTO issues (workspace_id, id, kind, number, title, description, status, priority, project_id, labels, version,
        created_at, updated_at, created_by_type, created_by_id, search)
    SELECT :workspace::uuid, made.id, 'task', :number::bigint, 'Call the supplier about the delay',
        'They promised an answer by the end of the week.', 'todo', 'medium', :project::uuid, '{}', 1, now(), now(),
        'api_key', :deal::uuid, array_to_tsvector(ARRAY[
            'AaINhsdJd7GjaQIXr6l6fQcall', 'AaINhsdJd7GjaQIXr6l6fQthe', 'AaINhsdJd7GjaQIXr6l6fQsupplier',
            'AaINhsdJd7GjaQIXr6l6fQabout', 'AaINhsdJd7GjaQIXr6l6fQdelay'])
    FROM made
)
SELECT queued, behind, failure FROM queue_webhook_deliveries(:workspace::uuid, ARRAY(SELECT id FROM incoming),
    ARRAY['projects'], ARRAY['task.created'], ARRAY[NULL]::uuid[], ARRAY[NULL]::uuid[], ARRAY[false], ARRAY[now()], 10000);
