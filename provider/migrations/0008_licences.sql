-- A licence covers the camera that it is bound to. Licences that run and that nobody has bound yet get the cameras of their
-- owner, those that were registered first, so that what was paid for goes on.
INSERT INTO bindings (device_id, subscription_id, bound_at)
WITH unbound AS (
  SELECT subscription_id, user_id, quantity,
    sum(quantity) OVER (PARTITION BY user_id ORDER BY created_at, subscription_id) AS upto
  FROM subscriptions
  WHERE sku = 'cam-ai' AND quantity > 0 AND (status = 'active' OR renews_at > unixepoch() * 1000)
    AND subscription_id NOT IN (SELECT subscription_id FROM bindings)
),
cameras AS (
  SELECT device_id, user_id, row_number() OVER (PARTITION BY user_id ORDER BY devices.rowid) AS place
  FROM devices JOIN home_members ON home_members.home_id = devices.home_id AND home_members.role = 1
  WHERE device_id NOT IN (SELECT device_id FROM bindings)
)
SELECT device_id, min(subscription_id), unixepoch() * 1000 FROM cameras JOIN unbound USING (user_id)
WHERE place > upto - quantity AND place <= upto GROUP BY device_id;

-- `recurring`, `card` and `wallet` are the only billing providers (OPEN-146).
UPDATE subscriptions SET billing_provider = 'card' WHERE billing_provider = 'embedded';
