-- Objects with the analytics events of one day and shard (docs/decisions/0108-insights-per-day-and-shard.md).
CREATE TABLE insights_objects (
  name TEXT PRIMARY KEY NOT NULL,
  -- Start of the UTC day, ms; 0 for the archive of earlier versions.
  day INTEGER NOT NULL,
  shard INTEGER NOT NULL,
  -- Number of shards of the day.
  shards INTEGER NOT NULL,
  -- Highest sample rate of the object's events.
  sample_rate INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO insights_objects (name, day, shard, shards, sample_rate) VALUES ('all', 0, 0, 1, 1);
