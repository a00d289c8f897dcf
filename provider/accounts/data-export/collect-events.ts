import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { DATA_EXPORT_CLIPS_MAX, DATA_EXPORT_EVENTS_MAX } from '../../../contract/account/data-export.ts'
import { EXPORT_BYTES_MAX } from '../../../contract/events/timeline.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import type { Env } from '../../env.ts'
import { type HomeWithPlans, listHomesWithPlans } from '../../billing/plans/plan-rows.ts'
import type { NamedEvent } from './event-files.ts'

export type ExportEvent = NamedEvent & { readonly home_id: string }

/** Events of one archive. `next`: value of `after` for the next archive; null for the last archive. */
export interface ExportBatch {
  readonly events: ExportEvent[]
  readonly next: string | null
}

/**
 * Returns the homes that the account owns, sorted by home id, so that each archive continues where the previous one
 * ends.
 */
export const listOwnHomes = (env: Env, access: AccountAccess): HomeWithPlans[] =>
  listHomesWithPlans(env, access)
    .filter(({ role }) => role === OWNER_ROLE)
    .sort((a, b) => (a.home_id < b.home_id ? -1 : 1))

/** Returns the events after the position `after` (contract/account/data-export.ts), as many as fit into one archive. */
export async function collectExportBatch(
  env: Env,
  homes: readonly HomeWithPlans[],
  after: string,
  requester: { userId: string; now: number },
): Promise<ExportBatch> {
  const [firstHomeId = '', doc = ''] = after.split(':')
  const events: ExportEvent[] = []
  let [clips, bytes] = [0, 0]
  for (const { home_id, plans } of homes) {
    if (home_id < firstHomeId) continue
    const afterDoc = home_id === firstHomeId ? doc : '0'
    const reader = { ...requester, plans }
    const limit = DATA_EXPORT_EVENTS_MAX - events.length + 1
    const page = await homeStub(env, home_id).listExportEvents(reader, afterDoc, limit)
    const names = new Map(page.names.map(({ device_id, nickname }) => [device_id, nickname]))
    for (const event of page.events) {
      const size = event.clip_bytes ?? 0
      const isFull = events.length === DATA_EXPORT_EVENTS_MAX || bytes + size > EXPORT_BYTES_MAX
      const last = events.at(-1)
      if (last && (isFull || (event.clip_object !== null && clips === DATA_EXPORT_CLIPS_MAX)))
        return { events, next: `${last.home_id}:${last.doc}` }
      events.push({ ...event, home_id, camera: names.get(event.device_id) ?? 'Camera' })
      bytes += size
      if (event.clip_object !== null) clips += 1
    }
  }
  return { events, next: null }
}
