-- Cameras that a licence of one camera each covers. A camera or a subscription that goes takes its bindings with it.

CREATE TABLE bindings (
  device_id TEXT PRIMARY KEY REFERENCES devices (device_id) ON DELETE CASCADE,
  subscription_id TEXT NOT NULL REFERENCES subscriptions (subscription_id) ON DELETE CASCADE,
  -- ms UTC
  bound_at INTEGER NOT NULL
) STRICT;
CREATE INDEX bindings_subscription ON bindings (subscription_id, bound_at);
