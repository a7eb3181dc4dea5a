SET LOCAL lock_timeout = '3s';

DROP INDEX event_positions_event;
