-- On which days a signed-in person was here, to be held against subscriptions. No e-mail stands here.
CREATE TABLE revenue_visits (
  -- Hex HMAC-SHA-256, by a key of the provider, of the SHA-256 of an e-mail.
  person TEXT NOT NULL,
  -- UTC, as 2026-01-31
  day TEXT NOT NULL,
  PRIMARY KEY (person, day)
) WITHOUT ROWID;
CREATE INDEX revenue_visits_day ON revenue_visits (day);
