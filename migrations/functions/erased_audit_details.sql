CREATE OR REPLACE FUNCTION erased_audit_details(details jsonb, pattern text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF pattern IS NULL THEN
        RETURN details;
    END IF;
    -- Replaces within the texts, not in their JSON, where quotes and other characters are escaped.
    RETURN CASE jsonb_typeof(details)
        WHEN 'string' THEN to_jsonb(regexp_replace(details #>> '{}', pattern, 'erased', 'gi'))
        WHEN 'array' THEN (
            SELECT coalesce(jsonb_agg(erased_audit_details(value, pattern) ORDER BY place), '[]')
            FROM jsonb_array_elements(details) WITH ORDINALITY AS element (value, place))
        WHEN 'object' THEN (
            SELECT coalesce(
                jsonb_object_agg(regexp_replace(key, pattern, 'erased', 'gi'), erased_audit_details(value, pattern)), '{}')
            FROM jsonb_each(details))
        ELSE details
    END;
END
$$;
COMMENT ON FUNCTION erased_audit_details IS
    'Replaces everything in the details that matches the pattern of person_pattern with "erased", ignoring case.';
REVOKE ALL ON FUNCTION erased_audit_details FROM PUBLIC;
