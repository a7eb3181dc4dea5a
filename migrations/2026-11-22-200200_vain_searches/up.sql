SET LOCAL lock_timeout = '3s';

CREATE TABLE kb_vain_searches (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    term text NOT NULL CONSTRAINT kb_vain_searches_term_check CHECK (char_length(term) BETWEEN 1 AND 100),
    searches bigint NOT NULL CONSTRAINT kb_vain_searches_searches_check CHECK (searches >= 1),
    last_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, term)
);
CREATE INDEX kb_vain_searches_most ON kb_vain_searches (workspace_id, searches DESC, last_at DESC, term);
COMMENT ON TABLE kb_vain_searches IS
    'Terms that were searched and no article had: about 1,000 of a workspace. Nothing is known of who searched.';
COMMENT ON COLUMN kb_vain_searches.term IS 'The words of the search in lower case; none that may be an address or a number of a person.';

ALTER TABLE workspaces ADD COLUMN help_centre_enabled boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN workspaces.help_centre_enabled IS 'Whether anybody may read its published articles on its help centre.';
