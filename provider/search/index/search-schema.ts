import { DAY_MS } from '../../../contract/time-units.ts'

/**
 * Schema step that makes events searchable. `doc` numbers events by time, so that a time range is a range of numbers.
 * Triggers update the index and remove deleted text from it.
 */
export const SEARCH_SCHEMA_STEP = `
  ALTER TABLE events ADD COLUMN moments TEXT;
  ALTER TABLE events ADD COLUMN moment_times TEXT;
  ALTER TABLE events ADD COLUMN doc INTEGER;
  UPDATE events SET doc = numbered.doc FROM (
    SELECT event_id, min(event_ts, 8000000000000) * 1048576
      + row_number() OVER (PARTITION BY min(event_ts, 8000000000000) ORDER BY event_id) - 1 AS doc FROM events
  ) AS numbered WHERE numbered.event_id = events.event_id;
  CREATE UNIQUE INDEX events_doc ON events (doc);
  CREATE INDEX events_undescribed ON events (device_id, event_ts, uploading) WHERE gone IS NULL AND moments IS NULL;

  CREATE VIRTUAL TABLE search_index USING fts5 (
    title, moments, labels, tags, device_id,
    content = 'events', content_rowid = 'doc', tokenize = 'porter unicode61 remove_diacritics 2'
  );
  INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);
  CREATE VIRTUAL TABLE search_words USING fts5vocab (search_index, 'col');
  INSERT INTO search_index (rowid, title, moments, labels, tags, device_id)
    SELECT doc, title, moments, labels, tags, device_id FROM events WHERE gone IS NULL ORDER BY doc;

  CREATE TRIGGER search_insert AFTER INSERT ON events WHEN NEW.gone IS NULL BEGIN
    INSERT INTO search_index (rowid, title, moments, labels, tags, device_id)
      VALUES (NEW.doc, NEW.title, NEW.moments, NEW.labels, NEW.tags, NEW.device_id);
  END;
  CREATE TRIGGER search_before_update BEFORE UPDATE OF title, moments, labels, tags, device_id, doc, gone ON events
  WHEN OLD.gone IS NULL BEGIN
    INSERT INTO search_index (search_index, rowid, title, moments, labels, tags, device_id)
      VALUES ('delete', OLD.doc, OLD.title, OLD.moments, OLD.labels, OLD.tags, OLD.device_id);
  END;
  CREATE TRIGGER search_update AFTER UPDATE OF title, moments, labels, tags, device_id, doc, gone ON events
  WHEN NEW.gone IS NULL BEGIN
    INSERT INTO search_index (rowid, title, moments, labels, tags, device_id)
      VALUES (NEW.doc, NEW.title, NEW.moments, NEW.labels, NEW.tags, NEW.device_id);
  END;
  CREATE TRIGGER search_delete AFTER DELETE ON events WHEN OLD.gone IS NULL BEGIN
    INSERT INTO search_index (search_index, rowid, title, moments, labels, tags, device_id)
      VALUES ('delete', OLD.doc, OLD.title, OLD.moments, OLD.labels, OLD.tags, OLD.device_id);
  END;

  CREATE TABLE search_votes (
    words TEXT NOT NULL,
    event_id TEXT NOT NULL,
    feedback_id TEXT NOT NULL,
    vote INTEGER NOT NULL,
    PRIMARY KEY (words, event_id, feedback_id)
  ) WITHOUT ROWID;
  CREATE INDEX search_votes_feedback ON search_votes (feedback_id);
  CREATE INDEX search_votes_event ON search_votes (event_id);
  CREATE TRIGGER search_votes_gone AFTER UPDATE OF gone ON events WHEN NEW.gone IN ('purged', 'expired', 'full') BEGIN
    DELETE FROM search_votes WHERE event_id = NEW.event_id;
  END;
`

/**
 * Schema step that rebuilds the vocabulary table with one row per occurrence, so that SQLite can find the next word
 * without counting occurrences.
 */
export const VOCABULARY_SCHEMA_STEP = `
  /* Lists go by doc, which is made of the time. */
  DROP INDEX events_newest;
  DROP TABLE search_words;
  CREATE VIRTUAL TABLE search_words USING fts5vocab (search_index, 'instance');
`

const INDEX_COLUMNS = ['title', 'moments', 'labels', 'tags', 'device_id', 'counts']
const listColumns = (row: 'NEW' | 'OLD') => ['doc', ...INDEX_COLUMNS].map((column) => `${row}.${column}`).join(', ')
const INSERT_ENTRY_SQL = `INSERT INTO search_index (rowid, ${INDEX_COLUMNS.join(', ')}) VALUES (${listColumns('NEW')});`
const DELETE_ENTRY_SQL = `INSERT INTO search_index (search_index, rowid, ${INDEX_COLUMNS.join(', ')}) VALUES ('delete', ${listColumns('OLD')});`

/**
 * Schema step that rebuilds the index with combining marks as parts of words, because the index otherwise splits Hindi
 * words. Adds the column `counts`: phrases such as `two people` for objects that are visible at the same time.
 */
export const COMBINING_MARKS_SCHEMA_STEP = `
  ALTER TABLE events ADD COLUMN counts TEXT;
  DROP TRIGGER search_insert;
  DROP TRIGGER search_before_update;
  DROP TRIGGER search_update;
  DROP TRIGGER search_delete;
  DROP TABLE search_words;
  DROP TABLE search_index;
  CREATE VIRTUAL TABLE search_index USING fts5 (
    ${INDEX_COLUMNS.join(', ')}, content = 'events', content_rowid = 'doc',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
  );
  INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);
  CREATE VIRTUAL TABLE search_words USING fts5vocab (search_index, 'instance');
  INSERT INTO search_index (rowid, ${INDEX_COLUMNS.join(', ')})
    SELECT doc, ${INDEX_COLUMNS.join(', ')} FROM events WHERE gone IS NULL ORDER BY doc;
  CREATE TRIGGER search_insert AFTER INSERT ON events WHEN NEW.gone IS NULL BEGIN ${INSERT_ENTRY_SQL} END;
  CREATE TRIGGER search_before_update BEFORE UPDATE OF ${INDEX_COLUMNS.join(', ')}, doc, gone ON events
    WHEN OLD.gone IS NULL BEGIN ${DELETE_ENTRY_SQL} END;
  CREATE TRIGGER search_update AFTER UPDATE OF ${INDEX_COLUMNS.join(', ')}, doc, gone ON events
    WHEN NEW.gone IS NULL BEGIN ${INSERT_ENTRY_SQL} END;
  CREATE TRIGGER search_delete AFTER DELETE ON events WHEN OLD.gone IS NULL BEGIN ${DELETE_ENTRY_SQL} END;
`

/**
 * Schema step for descriptions that arrive after the event. Adds `described_at` (ms UTC), `described_by`, and
 * `own_title`: the title before the first such description.
 */
export const DESCRIPTION_SCHEMA_STEP = `
  ALTER TABLE events ADD COLUMN described_at INTEGER;
  ALTER TABLE events ADD COLUMN described_by TEXT;
  ALTER TABLE events ADD COLUMN own_title TEXT;
  CREATE INDEX events_described ON events (device_id, described_at) WHERE described_at IS NOT NULL;
`

const createDayKey = (row: string) => `${row}.device_id, ${row}.event_ts / ${DAY_MS}, ${row}.free`
const createDayFilter = (row: string) =>
  `device_id = ${row}.device_id AND day = ${row}.event_ts / ${DAY_MS} AND free = ${row}.free`
const ADD_TO_DAY_SQL = `INSERT INTO event_days SELECT ${createDayKey('NEW')}, 1, NEW.moments IS NULL WHERE NEW.gone IS NULL
  ON CONFLICT DO UPDATE SET events = events + 1, undescribed = undescribed + excluded.undescribed;`
const REMOVE_FROM_DAY_SQL = `UPDATE event_days SET events = events - 1, undescribed = undescribed - (OLD.moments IS NULL)
    WHERE OLD.gone IS NULL AND ${createDayFilter('OLD')};
  DELETE FROM event_days WHERE OLD.gone IS NULL AND ${createDayFilter('OLD')} AND events <= 0;`

/**
 * Schema step that counts the listed events of each camera by UTC day (days since 1970) and by `free`. Triggers update
 * the counters. `undescribed`: events without a description.
 */
export const EVENT_DAYS_SCHEMA_STEP = `
  CREATE TABLE event_days (
    device_id TEXT NOT NULL,
    day INTEGER NOT NULL,
    free INTEGER NOT NULL,
    events INTEGER NOT NULL,
    undescribed INTEGER NOT NULL,
    PRIMARY KEY (device_id, day, free)
  ) WITHOUT ROWID;
  INSERT INTO event_days SELECT ${createDayKey('events')}, count(*), sum(moments IS NULL) FROM events
    WHERE gone IS NULL GROUP BY 1, 2, 3;
  CREATE TRIGGER event_days_insert AFTER INSERT ON events WHEN NEW.gone IS NULL BEGIN ${ADD_TO_DAY_SQL} END;
  CREATE TRIGGER event_days_update AFTER UPDATE OF gone, free, moments ON events
    WHEN (OLD.gone IS NULL) <> (NEW.gone IS NULL) OR OLD.free <> NEW.free OR (OLD.moments IS NULL) <> (NEW.moments IS NULL)
    BEGIN ${REMOVE_FROM_DAY_SQL} ${ADD_TO_DAY_SQL} END;
  CREATE TRIGGER event_days_delete AFTER DELETE ON events WHEN OLD.gone IS NULL BEGIN ${REMOVE_FROM_DAY_SQL} END;
  DROP INDEX events_undescribed;
  CREATE INDEX events_undescribed ON events (device_id, uploading, event_ts) WHERE gone IS NULL AND moments IS NULL;
`
