import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types'
import { BATCH } from './gone-rows.ts'

/**
 * Ids of the home's oldest events with clips, as many as have to go so that all that is stored fits into `cap` bytes; at most
 * a batch. Each home gives in proportion to what it holds. Storage is listed whole: for runs on one machine, where it is small.
 */
export async function overfull(
  { sql, media }: { sql: SqlStorage; media: R2Bucket },
  homeId: string,
  cap: number,
): Promise<string[]> {
  const own = `h/${homeId}/clip/`
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
  return oldest(sql, sizes, (total - cap) * (mine / clips))
}

/** Oldest events until their clips have this many bytes. */
function oldest(sql: SqlStorage, sizes: ReadonlyMap<string, number>, bytes: number): string[] {
  const rows = sql.exec<{ event_id: string; clip_object: string }>(
    `SELECT event_id, clip_object FROM events WHERE clip_object LIKE 'h/%' AND gone IS NULL ORDER BY event_ts LIMIT ${BATCH}`,
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
