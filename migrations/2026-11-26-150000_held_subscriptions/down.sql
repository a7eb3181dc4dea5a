DROP FUNCTION webhook_is_held_by_another(uuid, uuid, uuid, timestamptz);
