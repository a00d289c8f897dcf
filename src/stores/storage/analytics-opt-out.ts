import { PUBLIC_PAGE_KEYS, safeLocalStorage, safeSessionStorage } from './safe-storage.ts'
import { ANALYTICS_KEYS } from './analytics-keys.ts'

/**
 * Analytics state of this browser. `off`: the user opted out. `ended`: test tracking has ended. `asked`: the browser
 * sends Do Not Track or Global Privacy Control.
 */
export type AnalyticsState = 'on' | 'off' | 'ended' | 'asked'

const OPTED_OUT_VALUE = '1'
const TEST_TRACKING_ENDED_VALUE = 'ended'

/** Returns the analytics state at `now`, ms UTC. */
export function readAnalyticsState(now: number): AnalyticsState {
  const privacySignals = navigator as { doNotTrack?: string | null; globalPrivacyControl?: boolean }
  if (privacySignals.doNotTrack === '1' || privacySignals.globalPrivacyControl === true) return 'asked'
  const optOut = safeLocalStorage.read(ANALYTICS_KEYS.optOut)
  if (optOut === OPTED_OUT_VALUE) return 'off'
  const trackingEnd = readTestTrackingEnd()
  return optOut === TEST_TRACKING_ENDED_VALUE || (trackingEnd !== null && trackingEnd <= now) ? 'ended' : 'on'
}

/** Returns the end of test tracking in this browser, ms UTC; null if it has not started. */
export function readTestTrackingEnd(): number | null {
  const due = Number(safeLocalStorage.read(ANALYTICS_KEYS.due))
  return due > 0 ? due : null
}

/** Stores the end of test tracking, ms UTC. Returns true if the value was persisted. */
export const writeTestTrackingEnd = (due: number): boolean => safeLocalStorage.write(ANALYTICS_KEYS.due, String(due))

/** Turns analytics off in this browser for all accounts (OPEN-148) and discards unsent events. */
export function optOut(): void {
  turnAnalyticsOff(OPTED_OUT_VALUE)
}

/** Turns analytics off because test tracking has ended (ANALYTICS-07). */
export function endTestTracking(): void {
  turnAnalyticsOff(TEST_TRACKING_ENDED_VALUE)
}

/**
 * Deletes analytics data and turns analytics off. The deletion comes first, so that the opt-out fits into full storage.
 */
function turnAnalyticsOff(reason: string): void {
  deleteAnalyticsData()
  safeLocalStorage.write(ANALYTICS_KEYS.optOut, reason)
}

/** Turns analytics on again. During test tracking, analytics then stays on for one hour. */
export function optIn(): void {
  for (const key of [ANALYTICS_KEYS.optOut, ANALYTICS_KEYS.due]) safeLocalStorage.remove(key)
}

/**
 * Removes the stored end of test tracking and the state `ended`, because the operator has turned test tracking off
 * (ANALYTICS-18). The user's own opt-out stays.
 */
export function removeTestTracking(): void {
  safeLocalStorage.remove(ANALYTICS_KEYS.due)
  if (safeLocalStorage.read(ANALYTICS_KEYS.optOut) === TEST_TRACKING_ENDED_VALUE)
    safeLocalStorage.remove(ANALYTICS_KEYS.optOut)
}

/** Deletes analytics ids, unsent events and variants. A browser without analytics is in no experiment. */
export function deleteAnalyticsData(): void {
  const { identity, variant, userVariant, person } = ANALYTICS_KEYS
  for (const key of [identity, variant, userVariant, person, ...listUnsentKeys()]) safeLocalStorage.remove(key)
}

/** Returns the storage keys of unsent events, oldest first. */
export const listUnsentKeys = (): string[] =>
  safeLocalStorage
    .listKeys()
    .filter((key) => key.startsWith(ANALYTICS_KEYS.unsent))
    .sort()

/** Returns the id of the signed-in user from storage; null if signed out. */
export const readRememberedUserId = (): string | null => safeLocalStorage.read(PUBLIC_PAGE_KEYS.userId) || null

export interface StoredVariant {
  readonly experiment: string
  readonly variant: string
}

let documentVariant: { readonly variant: StoredVariant | null } | null = null

/**
 * Returns the experiment variant of this document; null if none is stored. Reads storage only once, so that a displayed
 * price never changes within a document.
 */
export function getDocumentVariant(): StoredVariant | null {
  documentVariant ??= { variant: readVariant(readRememberedUserId()) }
  return documentVariant.variant
}

/**
 * Reads the last variant of the signed-in account, or of the signed-out browser if `userId` is null. Ignores values that
 * an earlier version stored without the experiment's key.
 */
export function readVariant(userId: string | null): StoredVariant | null {
  const [experiment = '', variant = ''] = (safeLocalStorage.read(getVariantKey(userId)) ?? '').split(' ')
  return variant === '' ? null : { experiment, variant }
}

/**
 * Stores the variant of the signed-in account, or of the signed-out browser if `userId` is null. A null `variant`
 * deletes the stored variant.
 */
export function writeVariant(experiment: string, variant: string | null, userId: string | null): void {
  if (variant === null) safeLocalStorage.remove(getVariantKey(userId))
  else safeLocalStorage.write(getVariantKey(userId), `${experiment} ${variant}`)
}

const getVariantKey = (userId: string | null) => (userId === null ? ANALYTICS_KEYS.variant : ANALYTICS_KEYS.userVariant)

/**
 * Returns true if the cached experiment responses belong to this person, and stores this person for later responses.
 */
export function claimCachedVariants(person: string): boolean {
  const isSame = safeLocalStorage.read(ANALYTICS_KEYS.person) === person
  safeLocalStorage.write(ANALYTICS_KEYS.person, person)
  return isSame
}

/**
 * Returns true if this tab has not recorded `exposureKey` yet, and records it, so that later documents do not count the
 * exposure again.
 */
export function isFirstExposure(exposureKey: string): boolean {
  const lines = (safeSessionStorage.read(ANALYTICS_KEYS.exposed) ?? '').split('\n')
  if (lines.includes(exposureKey)) return false
  safeSessionStorage.write(ANALYTICS_KEYS.exposed, [...lines, exposureKey].join('\n'))
  return true
}
