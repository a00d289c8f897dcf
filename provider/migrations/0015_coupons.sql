-- Coupons, and who has reserved or used one. What a coupon did to an account stands in its Ledger (docs/decisions/0053).

CREATE TABLE coupons (
  -- As people have it; its case does not matter.
  code TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
  -- 'percent', 'amount', 'free_months', 'credit' or 'bonus'; value: percent, cents, months, cents, days. sku null: any plan.
  kind TEXT NOT NULL,
  sku TEXT,
  value INTEGER NOT NULL,
  -- Of a code with a choice: [{option_id, kind, sku, value}, ...] as JSON, else null.
  options TEXT,
  -- Only for those who have never paid.
  new_only INTEGER NOT NULL DEFAULT 0,
  -- Only for these addresses, as JSON in lower case; null: for everybody.
  emails TEXT,
  -- How many accounts may use it; null: any number.
  max_uses INTEGER,
  -- Last moment, ms UTC; null: for ever.
  until INTEGER,
  -- Code of the catalogue that it always causes; null: none.
  always TEXT
) WITHOUT ROWID;

-- Reserved until `expires_at` (ms UTC) for an intent of the account, or used by it for good: then null.
CREATE TABLE coupon_holds (
  code TEXT NOT NULL COLLATE NOCASE,
  user_id TEXT NOT NULL,
  intent TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('held', 'used')),
  expires_at INTEGER,
  PRIMARY KEY (code, user_id)
) WITHOUT ROWID;
