import type { BridgeEvent } from '../../contract/bridge/bridge-protocol.ts'
import { getActionEnd, buildVirtualEvent, buildClip } from './virtual-clip.ts'
import { listActions, listVisits, type DaySchedule, type ScheduledAction } from './day-schedule.ts'
import type { ProviderClient } from '../uplink/provider-client.ts'
import type { SceneLibrary } from './scene-library.ts'
import { uploadObjects } from '../uplink/upload-objects.ts'
import { DAY_MS } from '../../contract/time-units.ts'

const HISTORY_DAYS = 60
/** Maximum number of events per camera and day. */
const MAX_EVENTS_PER_DAY = 12
const BATCH_SIZE = 500

/** Plans a demo camera's events for the 60 days before `until`, ms UTC: all visits and a sample of other actions. */
export function planHistory(library: SceneLibrary, plan: DaySchedule, until: number): ScheduledAction[] {
  const { startedAt: _, slot: __, isQuiet: ___, ...input } = plan.input
  const past = { scene: plan.scene, input }
  return Array.from({ length: HISTORY_DAYS }, (_day, i) => until - (HISTORY_DAYS - i) * DAY_MS).flatMap((from) => {
    const all = listActions(past, from, from + DAY_MS).filter(
      (action) => action.at >= from && action.at < from + DAY_MS && getActionEnd(library, action) < until,
    )
    const visits = listVisits(past, from, from + DAY_MS)
    const others = all.filter(({ at }) => !visits.has(at))
    const stride = Math.max(1, others.length / (MAX_EVENTS_PER_DAY - (all.length - others.length)))
    const sampled = new Set(others.filter((_one, i) => Math.floor(i / stride) !== Math.floor((i - 1) / stride)))
    return all.filter((action) => visits.has(action.at) || sampled.has(action))
  })
}

/**
 * Uploads the history of a demo camera. Events with the same action share one clip and one thumbnail. Idempotent.
 * Returns the number of events. Throws ProviderError if a request fails.
 */
export async function sendHistory(
  client: ProviderClient,
  library: SceneLibrary,
  plan: DaySchedule,
  until: number,
): Promise<number> {
  const past = planHistory(library, plan, until)
  const objects = await uploadSharedObjects(client, library, past)
  const events = past.map((happening): BridgeEvent => {
    const object = objects.get(getSharedName(happening))
    return {
      ...buildVirtualEvent(library, happening),
      clip_object: object?.clip ?? null,
      thumb_object: object?.thumb ?? null,
    }
  })
  for (let i = 0; i < events.length; i += BATCH_SIZE) {
    await client.postHistory(plan.input.cameraId, events.slice(i, i + BATCH_SIZE))
  }
  return events.length
}

const getSharedName = ({ scene, light, action }: ScheduledAction) => `${scene}-${light}-${action}`

interface SharedObjects {
  readonly clip: string | undefined
  readonly thumb: string | undefined
}

/** Objects that this process has uploaded. All cameras of a scene share these objects. */
const storedObjects = new Map<string, SharedObjects>()

/** Uploads the clip and thumbnail of one action at a time, because all clips together would take 100 MB of memory. */
async function uploadSharedObjects(
  client: ProviderClient,
  library: SceneLibrary,
  past: readonly ScheduledAction[],
): Promise<ReadonlyMap<string, SharedObjects>> {
  for (const [name, action] of new Map(past.map((happening) => [getSharedName(happening), happening]))) {
    if (!storedObjects.has(name)) storedObjects.set(name, await uploadAction(client, library, action, name))
  }
  return storedObjects
}

async function uploadAction(
  client: ProviderClient,
  library: SceneLibrary,
  { device_id, scene, light, action }: ScheduledAction,
  name: string,
): Promise<SharedObjects> {
  const picture = await library.readSceneFile(library.getAction(scene, light, action).thumb)
  const [clip, thumb] = await uploadObjects(client, device_id, [
    { kind: 'clip', name, bytes: await buildClip(library, scene, light, action), shared: true },
    { kind: 'thumb', name, bytes: picture, shared: true },
  ])
  return { clip, thumb }
}
