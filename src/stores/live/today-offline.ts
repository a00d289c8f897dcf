import { atom } from 'nanostores'
import { timeline } from '../../../contract/events/timeline.ts'
import { request } from '../../api/api-client.ts'
import { findOfflineSpans } from '../../domain/live/offline-spans.ts'
import type { Span } from '../../domain/time/date-range.ts'
import { startOfDay } from '../../domain/time/local-time.ts'

/** Spans since local midnight in which a camera was offline. */
export const $todayOfflineSpans = atom<readonly Span[]>([])

/** Most cameras that one request may name. */
const MAX_CAMERAS = 99
const RELOAD_INTERVAL_MS = 5 * 60_000

/** Keeps `$todayOfflineSpans` up to date for these cameras. Returns a function that stops the updates. */
export function watchTodayOffline(deviceIds: readonly string[]): () => void {
  let isStopped = false
  async function reload() {
    const now = Date.now()
    const input = { device_ids: deviceIds.slice(0, MAX_CAMERAS), begin_time: startOfDay(now), end_time: now }
    const response = await request(timeline, input)
    if (response.ok && !isStopped)
      $todayOfflineSpans.set(findOfflineSpans(response.data.devices.flatMap(({ runs }) => runs)))
  }
  void reload()
  const timer = setInterval(() => void (document.hidden || reload()), RELOAD_INTERVAL_MS)
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
