-- ISO code of the amounts of a subscription. Rows of before are of the first currency.
ALTER TABLE subscriptions ADD COLUMN currency TEXT NOT NULL DEFAULT 'USD';
