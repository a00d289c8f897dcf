import { atom } from 'nanostores'
import { BRAND_NAME } from '../../../contract/brand.ts'
import type { SentEvent } from '../../../contract/telemetry/analytics-events.ts'
import { saveFile } from '../shell/save-file.ts'
import { optIn, optOut, readAnalyticsState, type AnalyticsState } from '../storage/analytics-opt-out.ts'
import { readSentEvents } from '../storage/sent-analytics-events.ts'

export const $analyticsState = atom<AnalyticsState>('on')
/** Analytics events of the signed-in account, and events that this browser sent while signed out; newest first. */
export const $sentEvents = atom<readonly SentEvent[]>([])

/** Reads the analytics state and the sent events from storage. `now` is in ms UTC. */
export function loadAnalyticsState(now: number): void {
  $analyticsState.set(readAnalyticsState(now))
  $sentEvents.set(readSentEvents().toReversed())
}

/**
 * Turns analytics on or off for every user of this browser. Turning off applies immediately. Turning on applies from
 * the next page; during test tracking, it applies for one hour.
 */
export function setAnalyticsEnabled(isEnabled: boolean): void {
  if (isEnabled) optIn()
  else optOut()
  loadAnalyticsState(Date.now())
  dispatchEvent(new Event('porchlight:measuring'))
}

export function saveSentEvents(): void {
  const text = JSON.stringify(readSentEvents(), null, 2)
  saveFile(new Blob([text], { type: 'application/json' }), `${BRAND_NAME} usage data.json`)
}
