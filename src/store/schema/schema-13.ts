/** What is sent by mail so that whoever reads it may do one thing once: links to register, to choose a password. */
export const schema13 = `
CREATE TABLE mailed_secrets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  purpose TEXT NOT NULL CHECK (purpose IN ('invitation', 'activation', 'password_reset', 'confirm_email')),
  -- Who invites, or whose account it is about. Null: it opens nothing, and was made so that a stranger’s address costs
  -- the same work as a known one.
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  -- The secret itself stands in the mail only.
  secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  -- The address it is about: it is worth nothing once the account has another one.
  email TEXT NOT NULL CHECK (length(email) <= 254),
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  -- Null: good until it is used.
  life_ms INTEGER CHECK (life_ms > 0),
  -- Where its making lies on the monotonic clock, while nobody had set the other one.
  unset_boot_id TEXT CHECK (length(unset_boot_id) <= 64),
  unset_mono_ms REAL
) STRICT;
CREATE INDEX mailed_secrets_by_user ON mailed_secrets (user_id, purpose, id);
`;
