-- Passkeys (WebAuthn): public keys by which an account is opened without its password.

CREATE TABLE passkeys (
  -- Id of the credential, base64url, as the authenticator made it.
  credential_id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES accounts (user_id) ON DELETE CASCADE,
  -- COSE key, base64url.
  public_key TEXT NOT NULL,
  -- Uses that the authenticator has counted; 0 for ever where it does not count.
  counter INTEGER NOT NULL,
  -- JSON list of the ways by which a browser reaches the authenticator.
  transports TEXT NOT NULL,
  -- What the person calls it.
  name TEXT NOT NULL,
  -- ms UTC
  created_at INTEGER NOT NULL,
  -- ms UTC; null: never used.
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_user ON passkeys (user_id, created_at);
