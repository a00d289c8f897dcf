import type { BridgeEvent } from '../contract/bridge.ts'
import { endOf, eventOf, makeClip, type Happening } from './clip.ts'
import { happenings, type CameraPlan } from './plan.ts'
import type { ProviderClient } from './provider-client.ts'
import type { SceneLibrary } from './scene-library.ts'
import { upload } from './upload.ts'

const DAY_MS = 86_400_000
const DAYS = 60
/** Events of a camera and day. */
const A_DAY = 12
const BATCH = 500

/** What a demo camera has seen in the 60 days before `until`, ms UTC, at most a dozen a day. */
export function pastOf(library: SceneLibrary, plan: CameraPlan, until: number): Happening[] {
  const { startedAt: _, slot: __, ...input } = plan.input
  const past = { scene: plan.scene, input }
  return Array.from({ length: DAYS }, (_day, i) => until - (DAYS - i) * DAY_MS).flatMap((from) => {
    const all = happenings(past, from, from + DAY_MS).filter(
      (one) => one.at >= from && one.at < from + DAY_MS && endOf(library, one) < until,
    )
    const stride = Math.max(1, all.length / A_DAY)
    return all.filter((_one, i) => Math.floor(i / stride) !== Math.floor((i - 1) / stride))
  })
}

/**
 * Gives a demo camera its history. Events that show the same action share one clip and one thumbnail; sending it again
 * changes nothing. Answers the number of events. Throws ProviderError.
 */
export async function sendHistory(
  client: ProviderClient,
  library: SceneLibrary,
  plan: CameraPlan,
  until: number,
): Promise<number> {
  const past = pastOf(library, plan, until)
  const objects = await uploadShared(client, library, past)
  const events = past.map((happening): BridgeEvent => {
    const object = objects.get(sharedName(happening))
    return { ...eventOf(library, happening), clip_object: object?.clip ?? null, thumb_object: object?.thumb ?? null }
  })
  for (let i = 0; i < events.length; i += BATCH) {
    await client.postHistory(plan.input.cameraId, events.slice(i, i + BATCH))
  }
  return events.length
}

const sharedName = ({ scene, light, action }: Happening) => `${scene}-${light}-${action}`

async function uploadShared(client: ProviderClient, library: SceneLibrary, past: readonly Happening[]) {
  const kinds = [...new Map(past.map((one) => [sharedName(one), one])).values()]
  const uploads = await Promise.all(
    kinds.map(async (one) => {
      const { thumb } = library.action(one.scene, one.light, one.action)
      const [clip, picture] = await Promise.all([
        makeClip(library, one.scene, one.light, one.action),
        library.read(thumb),
      ])
      const name = sharedName(one)
      return [
        { kind: 'clip', name, bytes: clip, shared: true },
        { kind: 'thumb', name, bytes: picture, shared: true },
      ] as const
    }),
  )
  const [device] = past
  if (!device) return new Map<string, { clip: string | undefined; thumb: string | undefined }>()
  const stored = await upload(client, device.device_id, uploads.flat())
  return new Map(kinds.map((one, i) => [sharedName(one), { clip: stored[i * 2], thumb: stored[i * 2 + 1] }]))
}
