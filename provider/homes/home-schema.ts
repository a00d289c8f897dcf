import { CAMERA_AREAS_SCHEMA_STEP } from './devices/camera-area-rows.ts'
import { DIFFERENT_PEOPLE_SCHEMA_STEP, PEOPLE_SCHEMA_STEP } from '../people/people-schema.ts'
import {
  DESCRIPTION_SCHEMA_STEP,
  COMBINING_MARKS_SCHEMA_STEP,
  EVENT_DAYS_SCHEMA_STEP,
  SEARCH_SCHEMA_STEP,
  VOCABULARY_SCHEMA_STEP,
} from '../search/index/search-schema.ts'
import { STORAGE_SCHEMA_STEP } from '../events/storage/storage-rows.ts'
import { BATCH_COUNTERS_SCHEMA_STEP, COUNTED_DAYS_SCHEMA_STEP } from '../events/day-counters.ts'
import { MEDIA_OBJECTS_SCHEMA_STEP } from '../events/media-object-rows.ts'
import { THUMBNAIL_SCHEMA_STEP } from '../events/thumbnail-rows.ts'
import { UPLOAD_BATCHES_SCHEMA_STEP } from '../events/upload-grant-rows.ts'
import { TICKET_TABLES } from '../platform/tickets/ticket-rows.ts'

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
  `
  /* gone: null while the event is listed; gone_at: when it went, ms UTC (provider/STORAGE.md). */
  ALTER TABLE events ADD COLUMN gone TEXT;
  ALTER TABLE events ADD COLUMN gone_at INTEGER;
  ALTER TABLE events ADD COLUMN clip_bytes INTEGER;
  ALTER TABLE events ADD COLUMN clip_crc INTEGER;
  DROP INDEX events_newest;
  DROP INDEX events_device;
  CREATE INDEX events_newest ON events (event_ts DESC, event_id DESC) WHERE gone IS NULL;
  CREATE INDEX events_device ON events (device_id, event_ts DESC, event_id DESC) WHERE gone IS NULL;
  CREATE INDEX events_gone ON events (gone, gone_at) WHERE gone IS NOT NULL;
  CREATE INDEX events_past ON events (device_id, event_ts) WHERE gone IS NOT NULL;
  CREATE INDEX events_clip ON events (clip_object) WHERE clip_object IS NOT NULL;
  CREATE INDEX events_thumb ON events (thumb_object) WHERE thumb_object IS NOT NULL;

  CREATE TABLE doomed_objects (object TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE retention_log (
    at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    events INTEGER NOT NULL,
    clips INTEGER NOT NULL,
    PRIMARY KEY (at, reason)
  ) WITHOUT ROWID;
  CREATE TABLE self (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    home_id TEXT NOT NULL,
    looked_at INTEGER
  );
  CREATE TABLE feedback (
    event_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    verdict TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (event_id, user_id)
  ) WITHOUT ROWID;
  CREATE TABLE feedback_videos (
    event_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    begin_ts INTEGER NOT NULL,
    end_ts INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (event_id, user_id)
  ) WITHOUT ROWID;
  CREATE TABLE exports (
    export_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (export_id, user_id)
  ) WITHOUT ROWID;
  `,
  SEARCH_SCHEMA_STEP,
  `
  /* Retention period of a camera in days, from \`began\` (ms UTC) until its next row. */
  CREATE TABLE keeping (
    device_id TEXT NOT NULL,
    began INTEGER NOT NULL,
    days INTEGER NOT NULL,
    PRIMARY KEY (device_id, began)
  ) WITHOUT ROWID;
  `,
  VOCABULARY_SCHEMA_STEP,
  `
  /* Objects that a bridge may bring and no event names yet; until: the end of the grant, ms UTC; bytes: its length. */
  CREATE TABLE granted_objects (object TEXT PRIMARY KEY, until INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX granted_until ON granted_objects (until);
  /* Granted bytes per day; day: days since 1970. */
  CREATE TABLE granted_bytes (day INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
  `,
  `
  /* Periods without motion detection of a camera that was on, ms UTC; why: 'unwatched' or 'motion_off'. */
  CREATE TABLE camera_gaps (
    device_id TEXT NOT NULL,
    began INTEGER NOT NULL,
    until INTEGER NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (device_id, began)
  ) WITHOUT ROWID;
  `,
  `
  /* Detections of the clip, JSON (contract/events/detections.ts). */
  ALTER TABLE events ADD COLUMN found_tracks TEXT;
  `,
  COMBINING_MARKS_SCHEMA_STEP,
  DESCRIPTION_SCHEMA_STEP,
  CAMERA_AREAS_SCHEMA_STEP,
  PEOPLE_SCHEMA_STEP,
  DIFFERENT_PEOPLE_SCHEMA_STEP,
  `
  /* Position of the thumbnail's frame, seconds from the start of the clip; null if unknown. */
  ALTER TABLE events ADD COLUMN thumb_at REAL;
  `,
  STORAGE_SCHEMA_STEP,
  EVENT_DAYS_SCHEMA_STEP,
  `
  /* A home has few open grants, and each entry of an index is billed as a written row. */
  DROP INDEX granted_until;
  `,
  MEDIA_OBJECTS_SCHEMA_STEP,
  UPLOAD_BATCHES_SCHEMA_STEP,
  COUNTED_DAYS_SCHEMA_STEP,
  BATCH_COUNTERS_SCHEMA_STEP,
  THUMBNAIL_SCHEMA_STEP,
]

/** Number of schema steps after which stored events contain tokens instead of names of people. */
export const PEOPLE_SCHEMA_VERSION = HOME_SCHEMA.indexOf(PEOPLE_SCHEMA_STEP) + 1
