import { atom } from 'nanostores'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { request } from '../../api/api-client.ts'
import { startOfDay } from '../../domain/time/local-time.ts'
import { onFeed } from '../home/feed.ts'

/** What one camera did since local midnight; `failed` where nothing of it could be loaded. */
export type CameraDay =
  { readonly state: 'loading' | 'failed' } | { readonly state: 'ready'; readonly runs: readonly TimelineRun[] }

export const $cameraDay = atom<CameraDay>({ state: 'loading' })

/** Heard of the feed: several changes come together. */
const NEWS_MS = 1500
/** The day goes on. */
const GO_ON_MS = 60_000

let turn = 0

/** Keeps the day of a camera loaded. Ends with the returned function. */
export function watchDay(deviceId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = () => void load(deviceId)
  $cameraDay.set({ state: 'loading' })
  again()
  const beat = setInterval(again, GO_ON_MS)
  const stop = onFeed(() => {
    clearTimeout(timer)
    timer = setTimeout(again, NEWS_MS)
  })
  return () => {
    turn += 1
    clearTimeout(timer)
    clearInterval(beat)
    stop()
  }
}

/** A later answer counts; one that did not come takes nothing away that is known. */
async function load(deviceId: string): Promise<void> {
  const mine = ++turn
  const now = Date.now()
  const input = { device_ids: [deviceId], begin_time: startOfDay(now), end_time: now }
  const answer = await request(timeline, input)
  if (mine !== turn) return
  if (answer.ok) $cameraDay.set({ state: 'ready', runs: answer.data.devices[0]?.runs ?? [] })
  else if ($cameraDay.get().state !== 'ready') $cameraDay.set({ state: 'failed' })
}
