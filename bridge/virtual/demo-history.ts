import type { BridgeEvent } from '../../contract/bridge/bridge-protocol.ts'
import { actionEndsAt, buildVirtualEvent, makeClip } from './virtual-clip.ts'
import { happenings, visitsBetween, type CameraPlan, type Happening } from './day-schedule.ts'
import type { ProviderClient } from '../uplink/provider-client.ts'
import type { SceneLibrary } from './scene-library.ts'
import { upload } from '../uplink/upload-objects.ts'
import { DAY_MS } from '../../contract/time-units.ts'

const DAYS = 60
/** Maximum number of events per camera and day. */
const A_DAY = 12
const BATCH = 500

/** Plans a demo camera's events for the 60 days before `until`, ms UTC: at most a dozen a day, including all visits. */
export function planHistory(library: SceneLibrary, plan: CameraPlan, until: number): Happening[] {
  const { startedAt: _, slot: __, isQuiet: ___, ...input } = plan.input
  const past = { scene: plan.scene, input }
  return Array.from({ length: DAYS }, (_day, i) => until - (DAYS - i) * DAY_MS).flatMap((from) => {
    const all = happenings(past, from, from + DAY_MS).filter(
      (action) => action.at >= from && action.at < from + DAY_MS && actionEndsAt(library, action) < until,
    )
    const visits = visitsBetween(past, from, from + DAY_MS)
    const others = all.filter(({ at }) => !visits.has(at))
    const stride = Math.max(1, others.length / (A_DAY - (all.length - others.length)))
    const sampled = new Set(others.filter((_one, i) => Math.floor(i / stride) !== Math.floor((i - 1) / stride)))
    return all.filter((action) => visits.has(action.at) || sampled.has(action))
  })
}

/**
 * Uploads the history of a demo camera. Events with the same action share one clip and one thumbnail. Idempotent.
 * Returns the number of events. Throws ProviderError.
 */
export async function sendHistory(
  client: ProviderClient,
  library: SceneLibrary,
  plan: CameraPlan,
  until: number,
): Promise<number> {
  const past = planHistory(library, plan, until)
  const objects = await uploadShared(client, library, past)
  const events = past.map((happening): BridgeEvent => {
    const object = objects.get(sharedName(happening))
    return {
      ...buildVirtualEvent(library, happening),
      clip_object: object?.clip ?? null,
      thumb_object: object?.thumb ?? null,
    }
  })
  for (let i = 0; i < events.length; i += BATCH) {
    await client.postHistory(plan.input.cameraId, events.slice(i, i + BATCH))
  }
  return events.length
}

const sharedName = ({ scene, light, action }: Happening) => `${scene}-${light}-${action}`

interface SharedObjects {
  readonly clip: string | undefined
  readonly thumb: string | undefined
}

/** Objects that this process has stored, by the name that cameras of one scene share. */
const storedObjects = new Map<string, SharedObjects>()

/** Uploads one action at a time: the clips together would take a hundred megabytes. */
async function uploadShared(
  client: ProviderClient,
  library: SceneLibrary,
  past: readonly Happening[],
): Promise<ReadonlyMap<string, SharedObjects>> {
  for (const [name, action] of new Map(past.map((happening) => [sharedName(happening), happening]))) {
    if (!storedObjects.has(name)) storedObjects.set(name, await uploadAction(client, library, action, name))
  }
  return storedObjects
}

async function uploadAction(
  client: ProviderClient,
  library: SceneLibrary,
  { device_id, scene, light, action }: Happening,
  name: string,
): Promise<SharedObjects> {
  const picture = await library.read(library.action(scene, light, action).thumb)
  const [clip, thumb] = await upload(client, device_id, [
    { kind: 'clip', name, bytes: await makeClip(library, scene, light, action), shared: true },
    { kind: 'thumb', name, bytes: picture, shared: true },
  ])
  return { clip, thumb }
}
