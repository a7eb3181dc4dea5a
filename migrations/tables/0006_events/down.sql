SET LOCAL lock_timeout = '3s';

DROP TABLE event_chunks;
DROP TABLE event_positions;
DROP TABLE event_sequences;
DROP TABLE events_unnumbered;
DROP TABLE events;
