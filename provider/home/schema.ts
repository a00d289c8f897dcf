import { TICKET_TABLES } from './ticket-rows.ts'

/** Schema of the Home Durable Object, in steps (provider/STORAGE.md). */
export const HOME_SCHEMA: readonly string[] = [
  `
  CREATE TABLE members (user_id TEXT PRIMARY KEY, role INTEGER NOT NULL) WITHOUT ROWID;

  CREATE TABLE devices (
    device_id TEXT PRIMARY KEY,
    bridge_id TEXT NOT NULL,
    nickname TEXT NOT NULL,
    model TEXT NOT NULL,
    position REAL NOT NULL,
    provider TEXT NOT NULL,
    renditions TEXT NOT NULL,
    dual INTEGER NOT NULL,
    audio INTEGER NOT NULL,
    battery INTEGER NOT NULL,
    firmware TEXT,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    since INTEGER NOT NULL,
    last_picture INTEGER NOT NULL DEFAULT 0,
    removed_at INTEGER
  ) WITHOUT ROWID;

  CREATE TABLE events (
    event_id TEXT PRIMARY KEY,
    device_id TEXT NOT NULL,
    event_ts INTEGER NOT NULL,
    title TEXT NOT NULL,
    tags TEXT NOT NULL,
    labels TEXT NOT NULL,
    resources TEXT NOT NULL,
    tag_index TEXT NOT NULL,
    label_index TEXT NOT NULL,
    free INTEGER NOT NULL,
    clip_begin INTEGER,
    clip_end INTEGER,
    clip_object TEXT,
    thumb_object TEXT,
    reviewed INTEGER NOT NULL
  );
  CREATE INDEX events_newest ON events (event_ts DESC, event_id DESC);
  CREATE INDEX events_device ON events (device_id, event_ts DESC, event_id DESC);
  ${TICKET_TABLES}
  `,
  `
  ALTER TABLE devices ADD COLUMN own_name TEXT;
  ALTER TABLE devices ADD COLUMN own_position REAL;
  ALTER TABLE devices ADD COLUMN power INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE devices ADD COLUMN rendition TEXT;
  ALTER TABLE devices ADD COLUMN pip INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE devices ADD COLUMN settings TEXT;
  ALTER TABLE events ADD COLUMN uploading INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE shares (
    device_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    role INTEGER NOT NULL,
    PRIMARY KEY (user_id, device_id)
  ) WITHOUT ROWID;
  CREATE TABLE followers (user_id TEXT PRIMARY KEY, home_id TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE camera_state_runs (
    device_id TEXT NOT NULL,
    began INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (device_id, began)
  ) WITHOUT ROWID;
  INSERT INTO camera_state_runs SELECT device_id, since, state, reason FROM devices WHERE state <> 'unknown';
  `,
]
