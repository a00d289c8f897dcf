-- Homes, who belongs to them, and which camera and bridge belongs to which home.
-- The Home Durable Object owns a home's data; these tables are the index that finds it.

CREATE TABLE homes (
  home_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  demo INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

-- role: 1 owner (the owner's primary home), 2 member.
CREATE TABLE home_members (
  home_id TEXT NOT NULL REFERENCES homes (home_id),
  user_id TEXT NOT NULL,
  role INTEGER NOT NULL,
  PRIMARY KEY (home_id, user_id)
) STRICT;
CREATE INDEX home_members_user ON home_members (user_id, role);

-- key_hash: lower-case hex SHA-256 of the bridge's key, which is the HMAC key of its requests.
CREATE TABLE bridges (
  bridge_id TEXT PRIMARY KEY,
  key_hash TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- position 0 is the home a camera goes to when its bridge names none.
CREATE TABLE bridge_homes (
  bridge_id TEXT NOT NULL REFERENCES bridges (bridge_id),
  home_id TEXT NOT NULL REFERENCES homes (home_id),
  position INTEGER NOT NULL,
  PRIMARY KEY (bridge_id, home_id)
) STRICT;

CREATE TABLE devices (
  device_id TEXT PRIMARY KEY,
  home_id TEXT NOT NULL REFERENCES homes (home_id),
  bridge_id TEXT NOT NULL REFERENCES bridges (bridge_id)
) STRICT;
CREATE INDEX devices_home ON devices (home_id);
CREATE INDEX devices_bridge ON devices (bridge_id);
