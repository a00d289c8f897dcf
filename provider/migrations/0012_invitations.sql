-- Shares with addresses that have no account yet; each becomes a share when there is one.

CREATE TABLE invitations (
  device_id TEXT NOT NULL,
  email TEXT NOT NULL,
  home_id TEXT NOT NULL REFERENCES homes (home_id),
  role INTEGER NOT NULL,
  -- ms UTC
  created_at INTEGER NOT NULL,
  PRIMARY KEY (device_id, email)
) STRICT;
CREATE INDEX invitations_email ON invitations (email);
