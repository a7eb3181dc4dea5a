-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- What waits, for five minutes at most, does not tell for what: who is signing in begins again.
DELETE FROM sign_in_challenges;
ALTER TABLE sign_in_challenges
    ADD COLUMN awaits text NOT NULL
        CONSTRAINT sign_in_challenges_awaits_check CHECK (awaits IN ('workspace', 'code')),
    ADD COLUMN first_proof text NOT NULL
        CONSTRAINT sign_in_challenges_first_proof_check CHECK (first_proof IN ('password', 'link', 'session')),
    ADD COLUMN session_id uuid,
    ADD COLUMN session_ends_at timestamptz,
    ADD CONSTRAINT sign_in_challenges_choice_check CHECK (awaits = 'code' OR first_proof = 'password'),
    ADD CONSTRAINT sign_in_challenges_session_check CHECK (
        (first_proof = 'session') = (session_id IS NOT NULL) AND (session_id IS NULL) = (session_ends_at IS NULL)
    );
COMMENT ON TABLE sign_in_challenges IS
    'Sign-ins that wait for the choice of a workspace or for a code, for a few minutes. A finished one is no row.';
COMMENT ON COLUMN sign_in_challenges.awaits IS 'What it waits for; nothing else takes its token.';
COMMENT ON COLUMN sign_in_challenges.first_proof IS 'How the user proved who they are before.';
COMMENT ON COLUMN sign_in_challenges.session_id IS
    'The session that it came from, which has to be alive still. No reference: one that has ended is no row.';
COMMENT ON COLUMN sign_in_challenges.session_ends_at IS 'When the new session ends at the latest, as that one would.';
