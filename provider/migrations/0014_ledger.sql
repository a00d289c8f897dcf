-- What ledgers tell of subscriptions (docs/decisions/0053). `seq`: the number of the ledger's outbox that wrote the row, 0 for rows
-- that no ledger has taken over yet; an older number never overwrites a newer one.

ALTER TABLE subscriptions ADD COLUMN channel TEXT NOT NULL DEFAULT 'web';
ALTER TABLE subscriptions ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
-- ms UTC
ALTER TABLE subscriptions ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
-- What it becomes at `renews_at`: sku, period and quantity as JSON.
ALTER TABLE subscriptions ADD COLUMN scheduled TEXT;
-- The next charge with tax, ms UTC and cents; null: there is none.
ALTER TABLE subscriptions ADD COLUMN next_at INTEGER;
ALTER TABLE subscriptions ADD COLUMN next_total INTEGER;
ALTER TABLE subscriptions ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;

UPDATE subscriptions SET since = created_at;
-- `recurring`, `card` and `wallet` are the only billing providers (OPEN-146).
UPDATE subscriptions SET billing_provider = 'card' WHERE billing_provider NOT IN ('recurring', 'card', 'wallet');
