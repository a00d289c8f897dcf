-- The second factor of an account: a key for time-based codes (RFC 6238), and what opens the account without them.

CREATE TABLE second_factors (
  user_id TEXT PRIMARY KEY REFERENCES accounts (user_id) ON DELETE CASCADE,
  -- The key, sealed by FACTOR_KEY (provider/identity/factor/sealed.ts).
  secret TEXT NOT NULL,
  -- Number of the 30 seconds whose code was used last: none up to it is taken again. 0: none was.
  last_step INTEGER NOT NULL DEFAULT 0,
  -- ms UTC
  began_at INTEGER NOT NULL,
  -- ms UTC; null: it is being set up, and asked for nowhere.
  enabled_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
  -- Hex SHA-256 of account and code.
  code_hash TEXT NOT NULL,
  -- ms UTC; null: good.
  used_at INTEGER,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;
