import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { Entitlement } from '../../billing/plans/entitlements.ts'
import {
  buildVisibleEventsSql,
  type EventVisibility,
  serializeVisibility,
  toEventVisibility,
} from '../../billing/plans/event-visibility.ts'
import { BATCH_ROWS } from './tombstone-rows.ts'

/**
 * Returns at most `BATCH_ROWS` events to delete so that total storage fits the limit. Each home contributes in
 * proportion to the bytes of its clips. Meant for local deployments, because it lists all storage.
 */
export async function listOverLimitEvents(
  { sql, media }: { sql: SqlStorage; media: R2Bucket },
  home: { id: string; entitlements: ReadonlyMap<string, Entitlement> | null },
  limitBytes: number,
  now: number,
): Promise<string[]> {
  const ownPrefix = `h/${home.id}/clip/`
  const sizes = new Map<string, number>()
  let [totalBytes, clipBytes, ownBytes]: [number, number, number] = [0, 0, 0]
  let cursor: string | undefined
  do {
    const page = await media.list(cursor === undefined ? {} : { cursor })
    for (const { key, size } of page.objects) {
      totalBytes += size
      if (/^h\/[^/]+\/clip\//.test(key)) clipBytes += size
      if (!key.startsWith(ownPrefix)) continue
      ownBytes += size
      sizes.set(key, size)
    }
    cursor = page.truncated ? page.cursor : undefined
  } while (cursor !== undefined)
  if (totalBytes <= limitBytes || ownBytes === 0) return []
  return await selectEventsToDelete(
    sql,
    toEventVisibility(home.entitlements ?? new Map(), now),
    sizes,
    (totalBytes - limitBytes) * (ownBytes / clipBytes),
  )
}

type Clip = { event_id: string; clip_object: string; shown: number; event_ts: number }

const CLIPS_PER_QUERY = 1000

/**
 * Returns events to delete: hidden events first, then the oldest. Stops when the clips of these events have
 * `bytesToFree` bytes in total, or after one batch. Yields to the event loop between queries.
 */
async function selectEventsToDelete(
  sql: SqlStorage,
  visibility: EventVisibility,
  sizes: ReadonlyMap<string, number>,
  bytesToFree: number,
): Promise<string[]> {
  const objects = [...sizes.keys()]
  let selected: Clip[] = []
  for (let at = 0; at < objects.length; at += CLIPS_PER_QUERY) {
    if (at > 0) await yieldToEventLoop()
    const rows = sql.exec<Clip>(
      `SELECT event_id, clip_object, ${buildVisibleEventsSql(visibility, '?1')} AS shown, event_ts
       FROM json_each(?2) AS stored CROSS JOIN events ON clip_object = stored.value WHERE gone IS NULL`,
      serializeVisibility(visibility),
      JSON.stringify(objects.slice(at, at + CLIPS_PER_QUERY)),
    )
    const all = [...selected, ...rows.toArray()]
    selected = all.sort((a, b) => a.shown - b.shown || a.event_ts - b.event_ts).slice(0, BATCH_ROWS)
  }
  const ids: string[] = []
  let freed = 0
  for (const { event_id, clip_object } of selected) {
    if (freed >= bytesToFree) break
    freed += sizes.get(clip_object) ?? 0
    ids.push(event_id)
  }
  return ids
}
