-- Bridges by code, cameras that their owner took away, shares, and settings of accounts.

-- ms UTC; null: enrolled. The key hash of a revoked bridge is empty.
ALTER TABLE bridges ADD COLUMN revoked_at INTEGER;

-- code_hash: HMAC of the code by TICKET_KEY. One code a home, used once.
CREATE TABLE bridge_codes (
  home_id TEXT PRIMARY KEY REFERENCES homes (home_id),
  code_hash TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- Cameras that their owner has removed while the bridge has not confirmed it yet.
CREATE TABLE removed_devices (
  device_id TEXT PRIMARY KEY,
  bridge_id TEXT NOT NULL
) STRICT;

-- home_id is the home that shared it: in another home the camera is nobody's but that home's.
CREATE TABLE shares (
  device_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  home_id TEXT NOT NULL REFERENCES homes (home_id),
  role INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (device_id, user_id)
) STRICT;
CREATE INDEX shares_user ON shares (user_id, home_id);
CREATE INDEX shares_home ON shares (home_id);

-- Shares of a demo home that wait for the camera at this place of its list to be registered.
CREATE TABLE demo_shares (
  home_id TEXT NOT NULL REFERENCES homes (home_id),
  user_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (home_id, user_id, position)
) STRICT;

-- value: JSON.
CREATE TABLE account_settings (
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT;
