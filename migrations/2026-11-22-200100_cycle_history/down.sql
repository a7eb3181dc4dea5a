SET LOCAL lock_timeout = '3s';

DROP TRIGGER issues_change_in_cycles ON issues;
DROP TRIGGER issues_enter_cycles ON issues;
DROP FUNCTION note_cycle_history;
DROP FUNCTION cycle_days_of;
DROP TABLE cycle_history;
