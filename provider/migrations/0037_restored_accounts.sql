-- Accounts of a restored backup until `npm run reconcile` (docs/decisions/0099). A ledger that opens for the first time
-- starts on hold if its account is listed. `gateway`: payment gateway of the backup; '' if there was none.
-- A restore creates the table too, because it can be older than this migration.
CREATE TABLE IF NOT EXISTS restored_accounts (user_id TEXT PRIMARY KEY, gateway TEXT NOT NULL);
