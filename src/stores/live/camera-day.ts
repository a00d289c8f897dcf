import { atom } from 'nanostores'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { request } from '../../api/api-client.ts'
import { startOfDay } from '../../domain/time/local-time.ts'
import { onFeed } from '../home/feed.ts'

/** Timeline of one camera since local midnight; `failed` if nothing could be loaded. */
export type CameraDayState =
  { readonly state: 'loading' | 'failed' } | { readonly state: 'ready'; readonly runs: readonly TimelineRun[] }

export const $cameraDay = atom<CameraDayState>({ state: 'loading' })

/** Debounce for feed messages, since several changes arrive together. */
const FEED_DEBOUNCE_MS = 1500
const RELOAD_INTERVAL_MS = 60_000

let latestLoad = 0

/** Keeps `$cameraDay` up to date for one camera. Returns a function that stops the updates. */
export function watchCameraDay(deviceId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const reload = () => void loadCameraDay(deviceId)
  $cameraDay.set({ state: 'loading' })
  reload()
  const reloadTimer = setInterval(reload, RELOAD_INTERVAL_MS)
  const stop = onFeed(() => {
    clearTimeout(timer)
    timer = setTimeout(reload, FEED_DEBOUNCE_MS)
  })
  return () => {
    latestLoad += 1
    clearTimeout(timer)
    clearInterval(reloadTimer)
    stop()
  }
}

async function loadCameraDay(deviceId: string): Promise<void> {
  const loadNumber = ++latestLoad
  const now = Date.now()
  const input = { device_ids: [deviceId], begin_time: startOfDay(now), end_time: now }
  const response = await request(timeline, input)
  if (loadNumber !== latestLoad) return
  if (response.ok) $cameraDay.set({ state: 'ready', runs: response.data.devices[0]?.runs ?? [] })
  else if ($cameraDay.get().state !== 'ready') $cameraDay.set({ state: 'failed' })
}
