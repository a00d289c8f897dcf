-- What an account has of the search: enrolment and hints, the searches it made, what it said of their results.

CREATE TABLE search_accounts (
  user_id TEXT PRIMARY KEY,
  enrolled_at INTEGER,
  instruction_state INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE search_history (
  user_id TEXT NOT NULL,
  query_id TEXT NOT NULL,
  query TEXT NOT NULL,
  -- The query as it counts: case and spaces do not matter.
  asked TEXT NOT NULL,
  at INTEGER NOT NULL,
  found INTEGER NOT NULL,
  -- Homes and ids of the events that were shown, as JSON: [[home_id, [event_id, ...]], ...].
  shown TEXT NOT NULL,
  PRIMARY KEY (user_id, query_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX search_history_asked ON search_history (user_id, asked);
CREATE INDEX search_history_at ON search_history (user_id, at);

CREATE TABLE search_feedback (
  user_id TEXT NOT NULL,
  feedback_id TEXT NOT NULL,
  asked TEXT NOT NULL,
  at INTEGER NOT NULL,
  accurate INTEGER NOT NULL,
  category_id TEXT NOT NULL,
  message TEXT NOT NULL,
  -- Homes whose order of results it has changed, as JSON.
  homes TEXT NOT NULL,
  PRIMARY KEY (user_id, feedback_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX search_feedback_asked ON search_feedback (user_id, asked);
