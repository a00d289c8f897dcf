-- Links with which an invited person creates an account. The link confirms the address.
CREATE TABLE invitation_links (
  -- Id of the future account.
  user_id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  -- SHA-256 hash of the link's token.
  link_hash TEXT NOT NULL UNIQUE,
  -- Owner who shared a camera, the camera and its home; null if the operator created the link.
  from_user TEXT,
  device_id TEXT,
  home_id TEXT,
  -- ms UTC
  until INTEGER NOT NULL
) STRICT;
CREATE INDEX invitation_links_email ON invitation_links (email);
CREATE INDEX invitation_links_until ON invitation_links (until);
