-- Which records an unfinished import has written, so that a later row of the same file does not overwrite one. The previous release can
-- run on this: it leaves the table empty.
SET LOCAL lock_timeout = '3s';

CREATE TABLE import_records (
    workspace_id uuid NOT NULL,
    import_id uuid NOT NULL,
    record_id uuid NOT NULL,
    line bigint NOT NULL CHECK (line >= 0),
    PRIMARY KEY (workspace_id, import_id, record_id)
);
COMMENT ON TABLE import_records IS
    'Records that rows of unfinished imports have written. A row is added for each row of a file, so no foreign key is checked.';
COMMENT ON COLUMN import_records.import_id IS 'The first 16 bytes of imports.digest.';
COMMENT ON COLUMN import_records.line IS 'The line of the file in which the row begins.';
