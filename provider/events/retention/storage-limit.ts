import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { Entitlement } from '../../billing/plans/entitlements.ts'
import { shownSql, type EventVisibility, viewJson, toEventVisibility } from '../../billing/plans/event-visibility.ts'
import { BATCH } from './tombstone-rows.ts'

/**
 * Returns a batch of events to delete until all storage fits into `cap` bytes: first events outside any plan, then the
 * oldest. Each home contributes in proportion to its bytes. Lists all of storage, so only for local deployments.
 */
export async function listOverLimitEvents(
  { sql, media }: { sql: SqlStorage; media: R2Bucket },
  home: { id: string; given: ReadonlyMap<string, Entitlement> | null },
  cap: number,
  now: number,
): Promise<string[]> {
  const own = `h/${home.id}/clip/`
  const sizes = new Map<string, number>()
  let [total, clips, mine]: [number, number, number] = [0, 0, 0]
  let cursor: string | undefined
  do {
    const page = await media.list(cursor === undefined ? {} : { cursor })
    for (const { key, size } of page.objects) {
      total += size
      if (/^h\/[^/]+\/clip\//.test(key)) clips += size
      if (!key.startsWith(own)) continue
      mine += size
      sizes.set(key, size)
    }
    cursor = page.truncated ? page.cursor : undefined
  } while (cursor !== undefined)
  if (total <= cap || mine === 0) return []
  return await oldest(sql, toEventVisibility(home.given ?? new Map(), now), sizes, (total - cap) * (mine / clips))
}

type Clip = { event_id: string; clip_object: string; shown: number; event_ts: number }

/** Clips per query. */
const STEP = 1000

/**
 * Returns events to delete until their clips add up to `bytes`, at most one batch: hidden events first, then the
 * oldest. Reads one row per stored clip and yields to the event loop between queries.
 */
async function oldest(
  sql: SqlStorage,
  view: EventVisibility,
  sizes: ReadonlyMap<string, number>,
  bytes: number,
): Promise<string[]> {
  const objects = [...sizes.keys()]
  let first: Clip[] = []
  for (let at = 0; at < objects.length; at += STEP) {
    if (at > 0) await yieldToEventLoop()
    const here = sql.exec<Clip>(
      `SELECT event_id, clip_object, ${shownSql(view, '?1')} AS shown, event_ts
       FROM json_each(?2) AS stored CROSS JOIN events ON clip_object = stored.value WHERE gone IS NULL`,
      viewJson(view),
      JSON.stringify(objects.slice(at, at + STEP)),
    )
    const all = [...first, ...here.toArray()]
    first = all.sort((a, b) => a.shown - b.shown || a.event_ts - b.event_ts).slice(0, BATCH)
  }
  const ids: string[] = []
  let freed = 0
  for (const { event_id, clip_object } of first) {
    if (freed >= bytes) break
    freed += sizes.get(clip_object) ?? 0
    ids.push(event_id)
  }
  return ids
}
