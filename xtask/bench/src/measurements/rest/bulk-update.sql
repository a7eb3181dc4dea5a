BEGIN;
SELECT id FROM issues WHERE workspace_id = :workspace::uuid AND id = ANY (:tasks::uuid[]) ORDER BY id FOR NO KEY UPDATE;
UPDATE issues SET priority = CASE priority WHEN 'high' THEN 'low' ELSE 'high' END, version = version + 1, updated_at = now()
WHERE workspace_id = :workspace::uuid AND id = ANY (:tasks::uuid[]);
WITH incoming AS MATERIALIZED (
    SELECT event_id(now(), n) AS id, record FROM unnest(:tasks::uuid[]) WITH ORDINALITY AS task (record, n)
), appended AS (
    INSERT INTO events (workspace_id, id, module, event, scope_id, record_type, record_id, version, internal,
        actor_type, actor_id, actor_name, request_id, payload, created_at)
    SELECT :workspace::uuid, id, 'projects', 'task.updated', :project::uuid, 'task', record, 2, false,
        'api_key', :deal::uuid, 'key', :deal::uuid, :payload::jsonb, now()
    FROM incoming
)
INSERT INTO events_unnumbered (workspace_id, event_id) SELECT :workspace::uuid, id FROM incoming;
COMMIT;
