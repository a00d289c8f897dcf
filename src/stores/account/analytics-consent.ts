import { atom } from 'nanostores'
import { BRAND_NAME } from '../../../contract/brand.ts'
import type { SentEvent } from '../../../contract/telemetry/analytics-events.ts'
import { saveAs } from '../shell/save-file.ts'
import { optIn, optOut, readMeasuring, type Measuring } from '../storage/analytics-opt-out.ts'
import { readSent } from '../storage/sent-analytics-events.ts'

/** Whether pages of this browser are measured. */
export const $measuring = atom<Measuring>('on')
/** What was sent of who is signed in here, the newest first. */
export const $sent = atom<readonly SentEvent[]>([])

/** Reads both; `now` in ms UTC. */
export function loadMeasured(now: number): void {
  $measuring.set(readMeasuring(now))
  $sent.set(readSent().toReversed())
}

/** Switches it in this browser, for whoever uses it. Off counts at once; on from the next page, for an hour. */
export function setMeasuring(isOn: boolean): void {
  if (isOn) optIn()
  else optOut()
  loadMeasured(Date.now())
  dispatchEvent(new Event('porchlight:measuring'))
}

/** Saves what was sent as a file. */
export function saveSent(): void {
  const text = JSON.stringify(readSent(), null, 2)
  saveAs(new Blob([text], { type: 'application/json' }), `${BRAND_NAME} measured.json`)
}
