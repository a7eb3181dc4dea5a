CREATE OR REPLACE FUNCTION retention_cutoff(at timestamptz, keep interval) RETURNS timestamptz LANGUAGE sql STABLE STRICT AS $$
    SELECT least(least(at, retention_clock()) - keep, retention_clock() - interval '30 days')
$$;
COMMENT ON FUNCTION retention_cutoff IS
    'What ended before this may be dropped. No argument can shorten the retention below 30 days. Null if keep is null.';
REVOKE ALL ON FUNCTION retention_cutoff FROM PUBLIC;
