-- Sessions of the device collector: what browsers told of themselves before they signed in. No account stands here.
CREATE TABLE collector_sessions (
  session TEXT PRIMARY KEY,
  -- The session that this browser had before; '' for none.
  previous TEXT NOT NULL,
  -- ms UTC
  begun_at INTEGER NOT NULL,
  -- When its page was left; null while it is open.
  ended_at INTEGER,
  -- What the frame told of the device, as JSON; '' before it did.
  facts TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX collector_sessions_begun ON collector_sessions (begun_at);
