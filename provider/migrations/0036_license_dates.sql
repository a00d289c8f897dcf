-- Time since which the license is assigned to this camera, ms UTC. A moved license keeps `bound_at`, the time of its
-- first assignment. Null until the ledger writes the row again.
ALTER TABLE bindings ADD COLUMN camera_bound_at INTEGER;
