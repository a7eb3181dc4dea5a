SET LOCAL lock_timeout = '3s';

-- Without the columns, a sign-in that waits for a workspace would count as one that waits for a code.
DELETE FROM sign_in_challenges;
ALTER TABLE sign_in_challenges
    DROP COLUMN awaits,
    DROP COLUMN first_proof,
    DROP COLUMN session_id,
    DROP COLUMN session_ends_at;
COMMENT ON TABLE sign_in_challenges IS
    'Sign-ins with the right password that wait for a code, for a few minutes. A finished one is no row.';
