-- Which part of the portal told of a kind: each has room of its own. Earlier rows say it in their report.
ALTER TABLE error_reports ADD COLUMN source TEXT NOT NULL DEFAULT 'browser';
UPDATE error_reports SET source = coalesce(json_extract(report, '$.from'), 'browser') WHERE json_valid(report);
CREATE INDEX error_reports_source ON error_reports (source, last_at);
-- How many reports of errors came on a day. No account stands here.
CREATE TABLE error_days (
  -- When the day began in UTC, ms.
  day INTEGER NOT NULL,
  -- As the report names it; 'others' for those that were one build too many.
  build TEXT NOT NULL,
  reports INTEGER NOT NULL,
  -- Those of them whose kind was not kept, because it was one new kind too many.
  left_out INTEGER NOT NULL,
  PRIMARY KEY (day, build)
) WITHOUT ROWID;
