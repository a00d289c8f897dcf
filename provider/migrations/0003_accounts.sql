-- When an account last signed in (user/status), ms UTC; null: never.
ALTER TABLE accounts ADD COLUMN last_sign_in_at INTEGER;

-- A change of password and a removal end everything that an account has open.
CREATE INDEX oidc_account ON oidc (account_id) WHERE account_id IS NOT NULL;
