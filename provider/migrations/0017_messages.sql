-- What accounts are told, and the mails that go with it (docs/decisions/0056).

CREATE TABLE messages (
  message_id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  -- Of contract/messages.ts. The same kind and key is told once.
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  -- ms UTC
  at INTEGER NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0,
  -- As it was shown; action: {label, path} as JSON, or null.
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  action TEXT,
  -- What the mail is made of, as JSON (provider/mail/facts.ts).
  facts TEXT NOT NULL,
  -- 'none': no mail goes with it; 'kept': it stays in the outbox of this machine.
  mail TEXT NOT NULL CHECK (mail IN ('none', 'kept', 'waiting', 'sent', 'refused', 'late')),
  tries INTEGER NOT NULL DEFAULT 0,
  -- Of a mail that waits, ms UTC: nobody else takes it before. Null: it does not wait.
  next_at INTEGER,
  -- When it makes no sense any more, ms UTC.
  until INTEGER NOT NULL,
  -- What the last try said.
  why TEXT NOT NULL DEFAULT '',
  UNIQUE (user_id, kind, key)
) STRICT;
CREATE INDEX messages_of ON messages (user_id, at);
CREATE INDEX messages_waiting ON messages (next_at) WHERE mail = 'waiting';
CREATE INDEX messages_kept ON messages (at) WHERE mail = 'kept';

-- Kinds of letters that an account does not want; only of those that may be turned off.
CREATE TABLE mail_stops (
  user_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  PRIMARY KEY (user_id, kind)
) STRICT, WITHOUT ROWID;

-- Links to choose a new password.
CREATE TABLE password_links (
  -- SHA-256 of what stands in the link, base64url.
  link_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  -- The end of the password's hash: a link ends with the password.
  password TEXT NOT NULL,
  -- ms UTC
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX password_links_of ON password_links (user_id);
