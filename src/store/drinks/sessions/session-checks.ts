/** What each valid drink covers: until the time-out after it. */
const drinkSpans = `
  SELECT d.id, d.session_id, d.pour_time_ms AS start_ms, d.pour_time_ms + 60000 *
    (SELECT timeout_minutes FROM session_timeouts WHERE from_ms <= d.pour_time_ms ORDER BY from_ms DESC LIMIT 1) AS end_ms
  FROM drinks d WHERE d.session_id IS NOT NULL`;

/** Every stored value of sessions and the same one computed from the drinks, the time-outs and the events. */
export const sessionChecks = `
  SELECT 'poured in session ' || id AS what, volume_ml AS stored,
    (SELECT total(volume_ml) FROM drinks WHERE session_id = sessions.id) AS computed FROM sessions
  UNION ALL SELECT 'start of session ' || id, start_time_ms,
    (SELECT coalesce(min(pour_time_ms), 0) FROM drinks WHERE session_id = sessions.id) FROM sessions
  UNION ALL SELECT 'end of session ' || x.id, x.end_time_ms, max(s.end_ms)
    FROM sessions x JOIN (${drinkSpans}) s ON s.session_id = x.id GROUP BY x.id
  UNION ALL SELECT 'parts of session ' || session_id, 1, sum(start_ms >= coalesce(earlier_end_ms, 0)) FROM (
    SELECT session_id, start_ms,
      max(end_ms) OVER (ORDER BY start_ms, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier_end_ms
    FROM (${drinkSpans})) GROUP BY session_id
  UNION ALL SELECT 'overlap of session ' || id, end_time_ms > next_start_ms, 0 FROM (
    SELECT id, end_time_ms, lead(start_time_ms) OVER (ORDER BY start_time_ms, end_time_ms) AS next_start_ms FROM sessions)
    WHERE next_start_ms IS NOT NULL
  UNION ALL SELECT 'start events of session ' || id,
    (SELECT count(*) FROM events WHERE session_id = sessions.id AND kind = 'session_started'),
    EXISTS (SELECT 1 FROM drinks WHERE session_id = sessions.id AND source <> 'import') FROM sessions`;
