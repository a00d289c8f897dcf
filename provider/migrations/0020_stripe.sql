-- Of a deployment whose gateway is Stripe (docs/decisions/0057): who is who there, and what was already heard.
-- A customer outlives its account, as the book does: `account` is the random id that the book goes on under.
CREATE TABLE stripe_customers (
  account TEXT PRIMARY KEY,
  customer TEXT NOT NULL UNIQUE
);

CREATE TABLE stripe_sessions (
  session TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  checkout TEXT NOT NULL,
  opened_at INTEGER NOT NULL
);

CREATE TABLE stripe_events (
  event TEXT PRIMARY KEY,
  heard_at INTEGER NOT NULL
);
