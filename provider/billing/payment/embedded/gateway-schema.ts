export const GATEWAY_SCHEMA = [
  `
  CREATE TABLE card_sessions (
    session TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    lines TEXT NOT NULL,
    state TEXT NOT NULL,
    token TEXT,
    opened_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE methods (
    token TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    brand TEXT NOT NULL,
    last_four TEXT NOT NULL,
    name TEXT NOT NULL,
    ends_month INTEGER,
    ends_year INTEGER,
    address TEXT NOT NULL,
    saved_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE charges (
    key TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    cents INTEGER NOT NULL,
    currency TEXT NOT NULL,
    state TEXT NOT NULL,
    code TEXT NOT NULL,
    charge TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    captured_at INTEGER
  ) WITHOUT ROWID;
  CREATE TABLE refunds (
    refund_key TEXT PRIMARY KEY,
    key TEXT NOT NULL REFERENCES charges (key),
    refund TEXT NOT NULL,
    cents INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  // Delete older card sessions: they have no proof, so their methods could not be claimed.
  `DELETE FROM card_sessions; ALTER TABLE card_sessions ADD COLUMN proof_hash TEXT;`,
  `ALTER TABLE card_sessions ADD COLUMN amount TEXT;`,
  `ALTER TABLE card_sessions ADD COLUMN address TEXT NOT NULL DEFAULT '[]';`,
  `ALTER TABLE card_sessions ADD COLUMN unpaid TEXT;`,
]
