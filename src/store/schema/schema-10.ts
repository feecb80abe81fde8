/** Leave to pour at the house's own taps: which taps a grant opened, and from when to when by the monotonic clock. */
export const schema10 = `
-- Of our own grants only; a board's grants live in the board. A grant of another boot never opens anything again.
ALTER TABLE grants ADD COLUMN boot_id TEXT CHECK (length(boot_id) <= 64);
-- Null where nobody had set the clock.
ALTER TABLE grants ADD COLUMN granted_time_ms INTEGER CHECK (granted_time_ms >= 0);
ALTER TABLE grants ADD COLUMN ended_time_ms INTEGER CHECK (ended_time_ms >= 0);
ALTER TABLE grants ADD COLUMN volume_ml REAL CHECK (volume_ml >= 0);
CREATE INDEX grants_open ON grants (boot_id) WHERE ended_reason IS NULL AND boot_id IS NOT NULL;

-- The pours of a grant are those on its meters between these two stamps, whenever they come to be recorded.
CREATE TABLE grant_taps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
  tap_id INTEGER REFERENCES taps (id) ON DELETE SET NULL,
  meter TEXT CHECK (length(meter) <= 300),
  toggle TEXT CHECK (length(toggle) <= 300),
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  granted_mono_ms REAL NOT NULL,
  ended_mono_ms REAL
) STRICT;
CREATE INDEX grant_taps_by_grant ON grant_taps (grant_id);
CREATE INDEX grant_taps_by_meter ON grant_taps (meter, boot_id, granted_mono_ms);
CREATE INDEX grant_taps_open ON grant_taps (tap_id) WHERE ended_mono_ms IS NULL;
CREATE INDEX grant_taps_by_tap ON grant_taps (tap_id) WHERE tap_id IS NOT NULL;
`;
