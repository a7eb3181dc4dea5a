SET LOCAL lock_timeout = '3s';

DROP INDEX person_erasures_newest;
