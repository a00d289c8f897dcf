-- Ids of sessions, interactions, codes and tokens are stored as their SHA-256, which SQLite does not have: the Worker hashes
-- the rows that are here before its first answer (provider/identity/old-rows.ts). 0: `id`, `replaces` and the payload are plain.
ALTER TABLE oidc ADD COLUMN hashed INTEGER NOT NULL DEFAULT 0;
UPDATE oidc SET hashed = 1 WHERE model NOT IN ('Session', 'Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken');
CREATE INDEX oidc_plain ON oidc (hashed) WHERE hashed = 0;
