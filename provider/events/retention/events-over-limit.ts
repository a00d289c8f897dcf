import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { Entitlement } from '../../billing/plans/entitlements.ts'
import {
  buildVisibleEventsSql,
  type EventVisibility,
  serializeVisibility,
  toEventVisibility,
} from '../../billing/plans/event-visibility.ts'
import { getLimitBytes, hasRoom, type StorageLimit } from '../storage/storage-limit.ts'
import { selectEventsByObject } from '../media-object-rows.ts'
import { BATCH_ROWS } from './tombstone-rows.ts'

interface StoredObjects {
  /** Bytes of all objects, of all clips, and of the clips of one home. */
  readonly totalBytes: number
  readonly clipBytes: number
  readonly ownBytes: number
  /** Bytes by key of the clips of the home. */
  readonly sizes: ReadonlyMap<string, number>
}

async function listStoredObjects(media: R2Bucket, homeId: string): Promise<StoredObjects> {
  const ownPrefix = `h/${homeId}/clip/`
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
  return { totalBytes, clipBytes, ownBytes, sizes }
}

/** Events to delete: `deleted` can still be restored by the owner, `crowded` are not deleted yet. */
export interface CrowdedEvents {
  readonly deleted: string[]
  readonly crowded: string[]
}

const NO_EVENTS: CrowdedEvents = { deleted: [], crowded: [] }

/**
 * Returns at most `BATCH_ROWS` events to delete so that total storage fits the limit. Each home contributes in
 * proportion to the bytes of its clips. Lists all storage if the limit may be exceeded, so it is meant for local
 * deployments.
 */
export async function listEventsOverStorageLimit(
  { sql, media }: { sql: SqlStorage; media: R2Bucket },
  home: { id: string; entitlements: ReadonlyMap<string, Entitlement> | null; limit: StorageLimit | null },
  now: number,
): Promise<CrowdedEvents> {
  if (home.limit === null || hasRoom(home.limit)) return NO_EVENTS
  const { totalBytes, clipBytes, ownBytes, sizes } = await listStoredObjects(media, home.id)
  sql.exec('UPDATE self SET media_bytes = ?', totalBytes)
  const limitBytes = getLimitBytes(home.limit, totalBytes)
  if (totalBytes <= limitBytes || ownBytes === 0) return NO_EVENTS
  return await selectEventsToDelete(
    sql,
    toEventVisibility(home.entitlements ?? new Map(), now),
    sizes,
    (totalBytes - limitBytes) * (ownBytes / clipBytes),
  )
}

/** `rank`: order of the deletion. 0: deleted by the owner, 1: hidden, 2: shown. */
type Clip = { event_id: string; clip_object: string; rank: number; event_ts: number }

const CLIPS_PER_QUERY = 1000

/**
 * Returns events to delete: those that the owner has deleted, then hidden ones, then the oldest. Stops when the clips of these events have
 * `bytesToFree` bytes in total, or after one batch. Yields to the event loop between queries.
 */
async function selectEventsToDelete(
  sql: SqlStorage,
  visibility: EventVisibility,
  sizes: ReadonlyMap<string, number>,
  bytesToFree: number,
): Promise<CrowdedEvents> {
  const objects = [...sizes.keys()]
  let selected: Clip[] = []
  for (let at = 0; at < objects.length; at += CLIPS_PER_QUERY) {
    if (at > 0) await yieldToEventLoop()
    const rows = sql.exec<Clip>(
      `SELECT event_id, clip_object, iif(gone IS NULL, 1 + ${buildVisibleEventsSql(visibility, '?1')}, 0) AS rank, event_ts
       FROM json_each(?2) AS stored
       CROSS JOIN events ON events.event_id IN (${selectEventsByObject('clip_object', 'stored.value')})
       WHERE gone IS NULL OR gone = 'deleted'`,
      serializeVisibility(visibility),
      JSON.stringify(objects.slice(at, at + CLIPS_PER_QUERY)),
    )
    const all = [...selected, ...rows.toArray()]
    selected = all.sort((a, b) => a.rank - b.rank || a.event_ts - b.event_ts).slice(0, BATCH_ROWS)
  }
  const events: CrowdedEvents = { deleted: [], crowded: [] }
  let freed = 0
  for (const { event_id, clip_object, rank } of selected) {
    if (freed >= bytesToFree) break
    freed += sizes.get(clip_object) ?? 0
    events[rank === 0 ? 'deleted' : 'crowded'].push(event_id)
  }
  return events
}
