import { OWNER } from '../../../contract/auth/roles.ts'
import { TAKE_CLIPS_MAX, TAKE_EVENTS_MAX } from '../../../contract/account/data-export.ts'
import { EXPORT_BYTES_MAX } from '../../../contract/events/timeline.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import type { Env } from '../../env.ts'
import { type PlannedHome, plannedHomes } from '../../billing/plans/plan-rows.ts'
import type { NamedEvent } from './event-files.ts'

export type OwnEvent = NamedEvent & { readonly home_id: string }

/** Events of one archive. `next`: start of the next archive; null: this is the last one. */
export interface ExportBatch {
  readonly events: OwnEvent[]
  readonly next: string | null
}

/** Returns the homes that the account owns, in a stable order. */
export async function ownHomes(env: Env, userId: string): Promise<PlannedHome[]> {
  const homes = await plannedHomes(env, userId)
  return homes.filter(({ role }) => role === OWNER).sort((a, b) => (a.home_id < b.home_id ? -1 : 1))
}

/** Returns the events after the position `after` (contract/account/data-export.ts), as many as fit into one archive. */
export async function collect(
  env: Env,
  homes: readonly PlannedHome[],
  after: string,
  requester: { userId: string; now: number },
): Promise<ExportBatch> {
  const [from = '', doc = ''] = after.split(':')
  const events: OwnEvent[] = []
  let [clips, bytes] = [0, 0]
  for (const { home_id, plans } of homes) {
    if (home_id < from) continue
    const behind = home_id === from ? doc : '0'
    const asker = { ...requester, plans }
    const limit = TAKE_EVENTS_MAX - events.length + 1
    const answer = await homeStub(env, home_id).listExportEvents(asker, behind, limit)
    const names = new Map(answer.names.map(({ device_id, nickname }) => [device_id, nickname]))
    for (const event of answer.events) {
      const size = event.clip_bytes ?? 0
      const isFull = events.length === TAKE_EVENTS_MAX || bytes + size > EXPORT_BYTES_MAX
      const last = events.at(-1)
      if (last && (isFull || (event.clip_object !== null && clips === TAKE_CLIPS_MAX)))
        return { events, next: `${last.home_id}:${last.doc}` }
      events.push({ ...event, home_id, camera: names.get(event.device_id) ?? 'Camera' })
      bytes += size
      if (event.clip_object !== null) clips += 1
    }
  }
  return { events, next: null }
}
