import type { SqlStorage } from '@cloudflare/workers-types'
import { buildVisibleEventsSql, serializeVisibility, type EventVisibility } from '../billing/plans/event-visibility.ts'

/**
 * Schema step for thumbnails that are stored with the clip. `thumb_jpeg`: the thumbnail until the clip is stored;
 * `thumb_bytes`: its length at the end of `clip_object`. Separate thumbnails are in `thumb_object`.
 */
export const THUMBNAIL_SCHEMA_STEP = `
  ALTER TABLE events ADD COLUMN thumb_bytes INTEGER;
  /* The last column, so that reading the others does not read its overflow pages. */
  ALTER TABLE events ADD COLUMN thumb_jpeg BLOB;
`

/** An object in storage (`lastBytes`: only that many bytes at its end), or bytes from the row of an event. */
export type StoredMedia =
  { readonly object: string; readonly lastBytes: number | null } | { readonly jpeg: ArrayBuffer }

/** Returns where the thumbnail of an event is stored. Returns null without one, or if the event is missing or hidden. */
export function findThumbnail(sql: SqlStorage, visibility: EventVisibility, eventId: string): StoredMedia | null {
  const [row] = sql
    .exec<{
      thumb_object: string | null
      clip_object: string | null
      thumb_bytes: number | null
      thumb_jpeg: ArrayBuffer | null
    }>(
      `SELECT thumb_object, clip_object, thumb_bytes, iif(thumb_object IS NULL, thumb_jpeg, NULL) AS thumb_jpeg FROM events
       WHERE event_id = ?1 AND gone IS NULL AND ${buildVisibleEventsSql(visibility, '?2')}`,
      eventId,
      serializeVisibility(visibility),
    )
    .toArray()
  if (!row) return null
  const { thumb_object, clip_object, thumb_bytes, thumb_jpeg } = row
  if (thumb_object !== null) return { object: thumb_object, lastBytes: null }
  if (thumb_jpeg !== null) return { jpeg: thumb_jpeg }
  return clip_object === null || thumb_bytes === null ? null : { object: clip_object, lastBytes: thumb_bytes }
}
