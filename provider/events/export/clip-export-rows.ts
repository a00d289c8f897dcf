import type { SqlStorage } from '@cloudflare/workers-types'
import { selectEventsByObject } from '../media-object-rows.ts'
import {
  buildVisibleEventsSql,
  type EventVisibility,
  serializeVisibility,
} from '../../billing/plans/event-visibility.ts'

export type ExportClip = {
  event_id: string
  event_ts: number
  clip_object: string
  /** Length of the clip; null until an export has determined it. */
  clip_bytes: number | null
  clip_crc: number | null
}
export type ClipChecksum = Pick<ExportClip, 'clip_object'> & { clip_bytes: number; clip_crc: number }

export function listExportClips(sql: SqlStorage, visibility: EventVisibility, ids: readonly string[]): ExportClip[] {
  return sql
    .exec<ExportClip>(
      `SELECT event_id, event_ts, clip_object, clip_bytes, clip_crc FROM events
       WHERE event_id IN (SELECT value FROM json_each(?1)) AND gone IS NULL AND clip_object IS NOT NULL
         AND ${buildVisibleEventsSql(visibility, '?2')}`,
      JSON.stringify(ids),
      serializeVisibility(visibility),
    )
    .toArray()
}

/** Stores length and CRC-32 of clips, in every event that uses the clip. A stored clip never changes. */
export function recordClipChecksums(sql: SqlStorage, checksums: readonly ClipChecksum[]): void {
  for (const { clip_object, clip_bytes, clip_crc } of checksums) {
    sql.exec(
      `UPDATE events SET clip_bytes = ?2, clip_crc = ?3 WHERE event_id IN (${selectEventsByObject('clip_object', '?1')})`,
      clip_object,
      clip_bytes,
      clip_crc,
    )
  }
}

export function putExport(sql: SqlStorage, exportId: string, userId: string, entries: string, now: number): void {
  sql.exec(
    'INSERT OR REPLACE INTO exports (export_id, user_id, made_at, entries) VALUES (?, ?, ?, ?)',
    exportId,
    userId,
    now,
    entries,
  )
}

export function readExport(sql: SqlStorage, exportId: string, userId: string): string | null {
  const rows = sql.exec<{ entries: string }>(
    'SELECT entries FROM exports WHERE export_id = ? AND user_id = ?',
    exportId,
    userId,
  )
  return rows.toArray()[0]?.entries ?? null
}
