import { atom } from 'nanostores'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { request } from '../../api/api-client.ts'
import { startOfDay } from '../../domain/time/local-time.ts'
import { onFeed } from '../home/feed.ts'

/** Timeline of one camera since local midnight; `failed` if nothing could be loaded. */
export type CameraDay =
  { readonly state: 'loading' | 'failed' } | { readonly state: 'ready'; readonly runs: readonly TimelineRun[] }

export const $cameraDay = atom<CameraDay>({ state: 'loading' })

/** Debounce for feed messages, since several changes arrive together. */
const NEWS_MS = 1500
/** Interval at which the day reloads, ms. */
const GO_ON_MS = 60_000

let turn = 0

/** Keeps `$cameraDay` up to date for one camera. Returns a function that stops the updates. */
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

/** Loads the day of a camera. Only the latest request counts; a failure leaves loaded data in place. */
async function load(deviceId: string): Promise<void> {
  const mine = ++turn
  const now = Date.now()
  const input = { device_ids: [deviceId], begin_time: startOfDay(now), end_time: now }
  const answer = await request(timeline, input)
  if (mine !== turn) return
  if (answer.ok) $cameraDay.set({ state: 'ready', runs: answer.data.devices[0]?.runs ?? [] })
  else if ($cameraDay.get().state !== 'ready') $cameraDay.set({ state: 'failed' })
}
