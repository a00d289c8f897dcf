-- Accounts that wait for the confirmation of their email address.
CREATE TABLE sign_ups (
  -- Id of the future account.
  user_id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  -- SHA-256 hashes of the emailed link's token and of the token in the cookie of the browser that signed up.
  link_hash TEXT NOT NULL UNIQUE,
  browser_hash TEXT NOT NULL,
  -- Page of the portal to open after the first sign-in.
  path TEXT NOT NULL,
  -- ms UTC
  until INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_ups_until ON sign_ups (until);
