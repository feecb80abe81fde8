/** What of an event goes into a message: ids alone, since drinks and kegs may still be corrected before it leaves. */
const eventJson = `json_object('id', NEW.id, 'kind', NEW.kind, 'time_ms', NEW.time_ms, 'drink_id', NEW.drink_id,
  'keg_id', NEW.keg_id, 'session_id', NEW.session_id, 'user_id', NEW.user_id)`;

/** A webhook may be switched off for a while and keep its place. */
export const schema16 = `
ALTER TABLE webhook_targets ADD COLUMN is_enabled INTEGER NOT NULL DEFAULT 1 CHECK (is_enabled IN (0, 1));
DROP TRIGGER event_tells_webhooks;
CREATE TRIGGER event_tells_webhooks AFTER INSERT ON events
WHEN EXISTS (SELECT 1 FROM webhook_targets WHERE is_enabled = 1) AND NOT EXISTS (SELECT 1 FROM diary_mending) BEGIN
  INSERT OR IGNORE INTO outbox (kind, target, topic, payload, event_id, created_time_ms)
    SELECT 'webhook', url, NEW.kind, ${eventJson}, NEW.id, NEW.time_ms FROM webhook_targets
    WHERE is_enabled = 1 ORDER BY id;
END;
`;
