import type { BridgeEvent } from '../../contract/bridge/bridge-protocol.ts'
import { getActionEnd, buildVirtualEvent, buildClip } from './virtual-clip.ts'
import { listActions, listVisits, type DaySchedule, type ScheduledAction } from './day-schedule.ts'
import type { ProviderClient } from '../uplink/provider-client.ts'
import type { SceneLibrary } from './scene-library.ts'
import { uploadObjects } from '../uplink/upload-objects.ts'
import { DAY_MS } from '../../contract/time-units.ts'

const HISTORY_DAYS = 60
const MAX_EVENTS_PER_DAY = 12
const BATCH_SIZE = 500

/** Plans a demo camera's events for the 60 days before `until`, ms UTC: all visits and a sample of other actions. */
export function planHistory(library: SceneLibrary, schedule: DaySchedule, until: number): ScheduledAction[] {
  const { startedAt: _, slot: __, isQuiet: ___, ...input } = schedule.input
  const historySchedule = { scene: schedule.scene, input }
  return Array.from({ length: HISTORY_DAYS }, (_day, i) => until - (HISTORY_DAYS - i) * DAY_MS).flatMap((from) => {
    const all = listActions(historySchedule, from, from + DAY_MS).filter(
      (action) => action.at >= from && action.at < from + DAY_MS && getActionEnd(library, action) < until,
    )
    const visits = listVisits(historySchedule, from, from + DAY_MS)
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
  schedule: DaySchedule,
  until: number,
): Promise<number> {
  const actions = planHistory(library, schedule, until)
  const objects = await uploadSharedObjects(client, library, actions)
  const events = actions.map((scheduledAction): BridgeEvent => {
    const object = objects.get(getSharedName(scheduledAction))
    return {
      ...buildVirtualEvent(library, scheduledAction),
      clip_object: object?.clip ?? null,
      thumb_object: object?.thumb ?? null,
    }
  })
  for (let i = 0; i < events.length; i += BATCH_SIZE) {
    await client.postHistory(schedule.input.cameraId, events.slice(i, i + BATCH_SIZE))
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
  actions: readonly ScheduledAction[],
): Promise<ReadonlyMap<string, SharedObjects>> {
  for (const [name, action] of new Map(actions.map((happening) => [getSharedName(happening), happening]))) {
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
