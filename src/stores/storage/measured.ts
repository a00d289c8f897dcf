import type { SentEvent } from '../../../contract/measured.ts'
import { FIRST_KEYS, local } from './box.ts'
import { MEASURE_KEYS } from './measure-keys.ts'

/** Events that can be read in this browser; of more the last ones. */
export const SENT_MAX = 200

/** Whether pages of this browser are measured: `asked` is a browser that asks every site not to (Do Not Track, Global Privacy Control). */
export type Measuring = 'on' | 'off' | 'asked'

/** Whether this page may be measured now. `now` in ms UTC. */
export function readMeasuring(now: number): Measuring {
  const asks = navigator as { doNotTrack?: string | null; globalPrivacyControl?: boolean }
  if (asks.doNotTrack === '1' || asks.globalPrivacyControl === true) return 'asked'
  const due = readDue()
  return local.read(MEASURE_KEYS.optOut) === '1' || (due !== null && due <= now) ? 'off' : 'on'
}

/** When test tracking ends in this browser, ms UTC; null where it has not begun. */
export function readDue(): number | null {
  const due = Number(local.read(MEASURE_KEYS.due))
  return due > 0 ? due : null
}

export const writeDue = (due: number): void => void local.write(MEASURE_KEYS.due, String(due))

/** Nothing is measured in this browser any more, whoever signs in (OPEN-148), and what waits to be sent is dropped. */
export function optOut(): void {
  local.write(MEASURE_KEYS.optOut, '1')
  for (const key of [MEASURE_KEYS.unsent, MEASURE_KEYS.identity]) local.remove(key)
  writeVariant(null)
}

/** Pages are measured again, for another hour. */
export function optIn(): void {
  for (const key of [MEASURE_KEYS.optOut, MEASURE_KEYS.due]) local.remove(key)
}

/** What this browser has sent of who is signed in, the oldest first. */
export function readSent(): readonly SentEvent[] {
  return parsed<SentEvent[]>(MEASURE_KEYS.sent) ?? []
}

export function keepSent(events: readonly SentEvent[]): void {
  local.write(MEASURE_KEYS.sent, JSON.stringify([...readSent(), ...events].slice(-SENT_MAX)))
}

/** The last variant of who uses this browser; null without one. It was kept for somebody who is signed in, or for nobody. */
const readVariant = (): string | null => local.read(variantKey())

let shown: { readonly variant: string | null } | null = null

/**
 * The variant that this document shows: the one that its browser knew when it was first asked for. What is learnt meanwhile is
 * for the next document, so that no price changes under anybody's eyes.
 */
export function shownVariant(): string | null {
  shown ??= { variant: readVariant() }
  return shown.variant
}

export function writeVariant(variant: string | null): void {
  if (variant === null) local.remove(variantKey())
  else local.write(variantKey(), variant)
}

const variantKey = () => (local.read(FIRST_KEYS.userId) ? MEASURE_KEYS.userVariant : MEASURE_KEYS.variant)

function parsed<T>(key: string): T | null {
  try {
    return JSON.parse(local.read(key) ?? 'null') as T
  } catch {
    return null
  }
}
