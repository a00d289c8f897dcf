-- What ledgers tell of subscriptions that are paused, left, or not paid (docs/billing.md).

-- ms UTC; until then it gives nothing.
ALTER TABLE subscriptions ADD COLUMN paused_until INTEGER;
-- `leaving` and `open` of contract/plans.ts as JSON.
ALTER TABLE subscriptions ADD COLUMN more TEXT;
-- How far the clock of its ledger stands ahead, ms: its times are by that clock.
ALTER TABLE subscriptions ADD COLUMN clock INTEGER NOT NULL DEFAULT 0;
