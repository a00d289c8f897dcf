-- Errors that pages and the edge have reported: one row per kind, with its newest report.
CREATE TABLE error_reports (
  fingerprint TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  -- ms UTC
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  build TEXT NOT NULL,
  -- The report as contract/telemetry.ts describes it, as JSON.
  report TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX error_reports_last ON error_reports (last_at);
