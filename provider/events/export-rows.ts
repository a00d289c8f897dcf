import type { SqlStorage } from '@cloudflare/workers-types'

export type ExportClip = {
  event_id: string
  event_ts: number
  clip_object: string
  /** Null until the clip was first read for an export. */
  clip_bytes: number | null
  clip_crc: number | null
}
export type ClipFacts = Pick<ExportClip, 'event_id' | 'clip_object'> & { clip_bytes: number; clip_crc: number }

/** Clips of the events among the ids, of these cameras. */
export function clipsOf(
  sql: SqlStorage,
  devices: readonly string[],
  ids: readonly string[],
  free: boolean,
): ExportClip[] {
  return sql
    .exec<ExportClip>(
      `SELECT event_id, event_ts, clip_object, clip_bytes, clip_crc FROM events
       WHERE event_id IN (SELECT value FROM json_each(?1)) AND device_id IN (SELECT value FROM json_each(?2))
         AND free >= ?3 AND gone IS NULL AND clip_object IS NOT NULL`,
      JSON.stringify(ids),
      JSON.stringify(devices),
      free ? 1 : 0,
    )
    .toArray()
}

/** Keeps length and CRC-32 of clips: a stored clip does not change. */
export function noteClips(sql: SqlStorage, facts: readonly ClipFacts[]): void {
  for (const { event_id, clip_object, clip_bytes, clip_crc } of facts) {
    sql.exec(
      'UPDATE events SET clip_bytes = ?, clip_crc = ? WHERE event_id = ? AND clip_object = ?',
      clip_bytes,
      clip_crc,
      event_id,
      clip_object,
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
