WITH made AS MATERIALIZED (
    SELECT gen_random_uuid() AS id
), quota AS (
    UPDATE crm_quota_blocks SET used = used + 0 WHERE workspace_id = :workspace::uuid AND (month, id) = (
        SELECT month, id FROM crm_quota_blocks WHERE workspace_id = :workspace::uuid AND used < size
        ORDER BY month DESC, id DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    ) RETURNING 1
), incoming AS MATERIALIZED (
    SELECT event_id(now(), 1) AS id
), appended AS (
    INSERT INTO events (workspace_id, id, module, event, record_type, record_id, version, internal,
        actor_type, actor_id, actor_name, request_id, payload, created_at)
    SELECT :workspace::uuid, incoming.id, 'crm', 'contact.created', 'contact', made.id, 1, false,
        'api_key', :deal::uuid, 'key', :deal::uuid, :payload::jsonb, now()
    FROM incoming, made
), unnumbered AS (
    INSERT INTO events_unnumbered (workspace_id, event_id) SELECT :workspace::uuid, id FROM incoming
), record AS (
    INSERT INTO contacts (workspace_id, id, email, email_key, first_name, last_name, contact_type, status, tags, custom_fields,
        version, created_at, updated_at, created_by_type, created_by_id, search)
    SELECT :workspace::uuid, made.id, made.id || '@example.com', made.id || '@example.com', 'Mia', 'Lark', 'new', 'active', '{}', '{}',
        1, now(), now(), 'api_key', :deal::uuid, array_to_tsvector(ARRAY[
            'AaINhsdJd7GjaQIXr6l6fQexample.com', 'AaINhsdJd7GjaQIXr6l6fQ' || made.id,
            'AaINhsdJd7GjaQIXr6l6fQ' || made.id || '@example.com', 'AaINhsdJd7GjaQIXr6l6fQmia', 'AaINhsdJd7GjaQIXr6l6fQlark'])
    FROM made
)
SELECT queued, behind, failure FROM queue_webhook_deliveries(:workspace::uuid, ARRAY(SELECT id FROM incoming),
    ARRAY['crm'], ARRAY['contact.created'], ARRAY[NULL]::uuid[], ARRAY[NULL]::uuid[], ARRAY[false], ARRAY[now()], 10000);
