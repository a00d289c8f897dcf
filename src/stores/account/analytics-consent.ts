import { atom } from 'nanostores'
import { BRAND_NAME } from '../../../contract/brand.ts'
import type { SentEvent } from '../../../contract/telemetry/analytics-events.ts'
import { saveAs } from '../shell/save-file.ts'
import { optIn, optOut, readMeasuring, type Measuring } from '../storage/analytics-opt-out.ts'
import { readSent } from '../storage/sent-analytics-events.ts'

export const $measuring = atom<Measuring>('on')
/** Analytics events that this browser sent for the signed-in account or while signed out, newest first. */
export const $sent = atom<readonly SentEvent[]>([])

/** Reads the analytics state and the sent events from storage. `now` is in ms UTC. */
export function loadMeasured(now: number): void {
  $measuring.set(readMeasuring(now))
  $sent.set(readSent().toReversed())
}

/**
 * Turns analytics on or off for every user of this browser. Turning off applies immediately; turning on applies from
 * the next page, for one hour.
 */
export function setMeasuring(isOn: boolean): void {
  if (isOn) optIn()
  else optOut()
  loadMeasured(Date.now())
  dispatchEvent(new Event('porchlight:measuring'))
}

export function saveSent(): void {
  const text = JSON.stringify(readSent(), null, 2)
  saveAs(new Blob([text], { type: 'application/json' }), `${BRAND_NAME} measured.json`)
}
