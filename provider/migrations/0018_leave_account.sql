-- When an account goes with all that is its own (provider/leave-account), ms UTC; null: it stays.

ALTER TABLE accounts ADD COLUMN leaves_at INTEGER;

-- The home that a bridge was removed from, so that it goes with that home; null: it was not.
ALTER TABLE bridges ADD COLUMN revoked_home TEXT;
