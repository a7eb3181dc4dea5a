-- Nothing was changed but what Postgres knows of the constraint.
SELECT 1;
