CREATE OR REPLACE FUNCTION cycle_days(created_at timestamptz, finished_at timestamptz, is_live boolean)
RETURNS TABLE (day date, is_in boolean, is_done boolean) LANGUAGE sql STABLE AS $$
    SELECT made.day, is_live, is_live AND bool_or(made.is_done)
    FROM (VALUES ((created_at AT TIME ZONE 'UTC')::date, false), ((finished_at AT TIME ZONE 'UTC')::date, true))
        AS made (day, is_done)
    WHERE made.day IS NOT NULL
    GROUP BY made.day
$$;
COMMENT ON FUNCTION cycle_days IS
    'The state in its cycle of an issue without rows in cycle_history: in it since its creation, done since its completion.';
REVOKE ALL ON FUNCTION cycle_days FROM PUBLIC;
