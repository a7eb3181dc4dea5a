DROP TABLE comments;
DROP TABLE issue_counters;
DROP TABLE issues;
DROP TABLE cycles;
DROP TABLE projects;
