-- Sessions of the device collector: what browsers told of themselves before they signed in. No account stands here.
CREATE TABLE collector_sessions (
  session TEXT PRIMARY KEY,
  -- The session that this browser had before; '' for none.
  previous TEXT NOT NULL,
  -- ms UTC
  begun_at INTEGER NOT NULL,
  -- When a browser last told anything of it, ms UTC.
  seen_at INTEGER NOT NULL,
  -- When one of its pages was last left, ms UTC; null before that. Another page may be open.
  left_at INTEGER,
  -- What the frame told of the device, as JSON; '' before it did.
  facts TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX collector_sessions_seen ON collector_sessions (seen_at);
