import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types'
import type { Entitlement } from '../plans/entitlement.ts'
import { shownSql, type View, viewJson, viewOf } from '../plans/view.ts'
import { BATCH } from './gone-rows.ts'

/**
 * Ids of the home's events with clips, those that no plan keeps before the others and then the oldest, as many as have to go
 * so that all that is stored fits into `cap` bytes; at most a batch. Each home gives in proportion to what it holds. Storage is listed whole: for runs on one machine, where it is small.
 */
export async function overfull(
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
  return oldest(sql, viewOf(home.given ?? new Map(), now), sizes, (total - cap) * (mine / clips))
}

/** Events until their clips have this many bytes: those that are not shown, then the oldest. */
function oldest(sql: SqlStorage, kept: View, sizes: ReadonlyMap<string, number>, bytes: number): string[] {
  const rows = sql.exec<{ event_id: string; clip_object: string }>(
    `SELECT event_id, clip_object FROM events WHERE clip_object LIKE 'h/%' AND gone IS NULL
     ORDER BY ${shownSql(kept, '?1')}, event_ts LIMIT ${BATCH}`,
    viewJson(kept),
  )
  const ids: string[] = []
  let freed = 0
  for (const { event_id, clip_object } of rows) {
    if (freed >= bytes) break
    freed += sizes.get(clip_object) ?? 0
    ids.push(event_id)
  }
  return ids
}
