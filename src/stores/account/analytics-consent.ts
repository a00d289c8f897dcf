import { atom } from 'nanostores'
import { BRAND_NAME } from '../../../contract/brand.ts'
import type { SentEvent } from '../../../contract/telemetry/analytics-events.ts'
import { saveAs } from '../shell/save-file.ts'
import { optIn, optOut, readMeasuring, type Measuring } from '../storage/analytics-opt-out.ts'
import { readSent } from '../storage/sent-analytics-events.ts'

export const $measuring = atom<Measuring>('on')
/** Events sent for the signed-in account, newest first. */
export const $sent = atom<readonly SentEvent[]>([])

/** Reads both values; `now` in ms UTC. */
export function loadMeasured(now: number): void {
  $measuring.set(readMeasuring(now))
  $sent.set(readSent().toReversed())
}

/**
 * Turns analytics on or off in this browser, for every user of it. Off applies immediately, on from the next page, for
 * an hour.
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
