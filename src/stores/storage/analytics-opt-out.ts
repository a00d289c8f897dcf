import { FIRST_KEYS, local, tab } from './safe-storage.ts'
import { MEASURE_KEYS } from './analytics-keys.ts'

/**
 * Analytics state of this browser: `off` by the user's choice, `ended` after test tracking, `asked` if the browser asks
 * every site not to track (Do Not Track, Global Privacy Control).
 */
export type Measuring = 'on' | 'off' | 'ended' | 'asked'

const CHOSEN = '1'
const ENDED = 'ended'

/** Returns the analytics state at `now`, ms UTC. */
export function readMeasuring(now: number): Measuring {
  const asks = navigator as { doNotTrack?: string | null; globalPrivacyControl?: boolean }
  if (asks.doNotTrack === '1' || asks.globalPrivacyControl === true) return 'asked'
  const optOut = local.read(MEASURE_KEYS.optOut)
  if (optOut === CHOSEN) return 'off'
  const due = readDue()
  return optOut === ENDED || (due !== null && due <= now) ? 'ended' : 'on'
}

/** Returns the end of test tracking in this browser, ms UTC; null if it has not started. */
export function readDue(): number | null {
  const due = Number(local.read(MEASURE_KEYS.due))
  return due > 0 ? due : null
}

/** Stores the end of test tracking, ms UTC. Returns true if the value was persisted. */
export const writeDue = (due: number): boolean => local.write(MEASURE_KEYS.due, String(due))

/** Turns analytics off in this browser for all accounts (OPEN-148) and discards unsent events. */
export function optOut(): void {
  end(CHOSEN)
}

/** Turns analytics off because test tracking has ended (ANALYTICS-07). */
export function endMeasuring(): void {
  end(ENDED)
}

/** Turns analytics off. Deletes analytics data first, so that even full storage has room for the opt-out. */
function end(why: string): void {
  deleteAnalyticsData()
  local.write(MEASURE_KEYS.optOut, why)
}

/** Turns analytics on again, for another hour. */
export function optIn(): void {
  for (const key of [MEASURE_KEYS.optOut, MEASURE_KEYS.due]) local.remove(key)
}

/**
 * Removes the stored end of test tracking, if test tracking is switched off (ANALYTICS-18). An opt-out by the user
 * stays.
 */
export function dropTestTracking(): void {
  local.remove(MEASURE_KEYS.due)
  if (local.read(MEASURE_KEYS.optOut) === ENDED) local.remove(MEASURE_KEYS.optOut)
}

/** Deletes the measured identity, unsent events and variants: a browser without analytics is in no experiment. */
export function deleteAnalyticsData(): void {
  const { unsent, identity, variant, userVariant, person } = MEASURE_KEYS
  for (const key of [unsent, identity, variant, userVariant, person]) local.remove(key)
}

/** Returns the signed-in user that this browser remembers; null if signed out. */
export const rememberedUser = (): string | null => local.read(FIRST_KEYS.userId) || null

export interface ShownVariant {
  readonly experiment: string
  readonly variant: string
}

let documentVariant: { readonly known: ShownVariant | null } | null = null

/**
 * Returns the variant of this document, which is read from storage only once. Later changes apply to the next document,
 * so that no displayed price changes.
 */
export function shownVariant(): ShownVariant | null {
  documentVariant ??= { known: readVariant() }
  return documentVariant.known
}

/** Reads the stored variant. Ignores values of an earlier version, which stored the variant without its experiment. */
function readVariant(): ShownVariant | null {
  const [experiment = '', variant = ''] = (local.read(variantKey(rememberedUser())) ?? '').split(' ')
  return variant === '' ? null : { experiment, variant }
}

/** Stores the variant of an account, or of the signed-out browser (null user id); null deletes it. */
export function writeVariant(experiment: string, variant: string | null, userId: string | null): void {
  if (variant === null) local.remove(variantKey(userId))
  else local.write(variantKey(userId), `${experiment} ${variant}`)
}

const variantKey = (userId: string | null) => (userId === null ? MEASURE_KEYS.variant : MEASURE_KEYS.userVariant)

/** Returns true if the cached experiment responses belong to this person. Later responses count as this person's. */
export function isSamePerson(person: string): boolean {
  const isSame = local.read(MEASURE_KEYS.person) === person
  local.write(MEASURE_KEYS.person, person)
  return isSame
}

/** Returns true on the first exposure in this tab and records it, so that no other document counts it again. */
export function isFirstShown(exposureKey: string): boolean {
  const lines = (tab.read(MEASURE_KEYS.exposed) ?? '').split('\n')
  if (lines.includes(exposureKey)) return false
  tab.write(MEASURE_KEYS.exposed, [...lines, exposureKey].join('\n'))
  return true
}
