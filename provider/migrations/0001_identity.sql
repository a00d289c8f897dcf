-- Accounts, the store behind oidc-provider, subscriptions. Times are ms UTC unless a column says seconds.

CREATE TABLE accounts (
  user_id TEXT PRIMARY KEY,
  -- Lower case; what the person types is compared in lower case.
  email TEXT NOT NULL UNIQUE,
  -- scrypt$N$r$p$salt$hash, the last two base64url.
  password_hash TEXT NOT NULL,
  demo INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

-- Every model of oidc-provider: sessions, interactions, grants, codes, tokens.
CREATE TABLE oidc (
  model TEXT NOT NULL,
  id TEXT NOT NULL,
  -- JSON, as oidc-provider hands it over.
  payload TEXT NOT NULL,
  grant_id TEXT,
  uid TEXT,
  account_id TEXT,
  -- Seconds UTC.
  consumed_at INTEGER,
  -- Refresh tokens: the token that a rotation made this one from.
  replaces TEXT,
  -- Seconds UTC; null: does not expire.
  expires_at INTEGER,
  PRIMARY KEY (model, id)
) WITHOUT ROWID;
CREATE INDEX oidc_grant ON oidc (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oidc_uid ON oidc (model, uid) WHERE uid IS NOT NULL;
CREATE INDEX oidc_replaces ON oidc (replaces) WHERE replaces IS NOT NULL;
CREATE INDEX oidc_expires ON oidc (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE subscriptions (
  subscription_id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES accounts (user_id),
  sku TEXT NOT NULL,
  status TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  period TEXT NOT NULL,
  billing_provider TEXT NOT NULL,
  renews_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX subscriptions_user ON subscriptions (user_id);
