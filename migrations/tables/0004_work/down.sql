SET LOCAL lock_timeout = '3s';

DROP TABLE saved_views;
DROP TABLE presences;
DROP TABLE drafts;
DROP TABLE record_comments;
DROP TABLE comments;
DROP TABLE cycle_history;
DROP TABLE issues;
DROP TABLE issue_counters;
DROP TABLE cycles;
DROP TABLE projects;
