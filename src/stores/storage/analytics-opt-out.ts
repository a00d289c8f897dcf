import { FIRST_KEYS, local, tab } from './safe-storage.ts'
import { MEASURE_KEYS } from './analytics-keys.ts'

/**
 * Whether pages of this browser are measured: `off` as somebody has chosen here, `ended` as test tracking is over, `asked` where
 * the browser asks every site not to (Do Not Track, Global Privacy Control).
 */
export type Measuring = 'on' | 'off' | 'ended' | 'asked'

const CHOSEN = '1'
const ENDED = 'ended'

/** Whether this page may be measured now. `now` in ms UTC. */
export function readMeasuring(now: number): Measuring {
  const asks = navigator as { doNotTrack?: string | null; globalPrivacyControl?: boolean }
  if (asks.doNotTrack === '1' || asks.globalPrivacyControl === true) return 'asked'
  const optOut = local.read(MEASURE_KEYS.optOut)
  if (optOut === CHOSEN) return 'off'
  const due = readDue()
  return optOut === ENDED || (due !== null && due <= now) ? 'ended' : 'on'
}

/** When test tracking ends in this browser, ms UTC; null where it has not begun. */
export function readDue(): number | null {
  const due = Number(local.read(MEASURE_KEYS.due))
  return due > 0 ? due : null
}

/** Answers whether it outlives the page. */
export const writeDue = (due: number): boolean => local.write(MEASURE_KEYS.due, String(due))

/** Nothing is measured in this browser any more, whoever signs in (OPEN-148), and what waits to be sent is dropped. */
export function optOut(): void {
  end(CHOSEN)
}

/** The same, because test tracking is over (ANALYTICS-07). */
export function endMeasuring(): void {
  end(ENDED)
}

/** The room that is made first is there for the choice, also in a storage that is full. */
function end(why: string): void {
  deleteAnalyticsData()
  local.write(MEASURE_KEYS.optOut, why)
}

/** Pages are measured again, for another hour. */
export function optIn(): void {
  for (const key of [MEASURE_KEYS.optOut, MEASURE_KEYS.due]) local.remove(key)
}

/** Where test tracking is off its end counts for nothing (ANALYTICS-18); a choice does. */
export function dropTestTracking(): void {
  local.remove(MEASURE_KEYS.due)
  if (local.read(MEASURE_KEYS.optOut) === ENDED) local.remove(MEASURE_KEYS.optOut)
}

/** Forgets who was measured, what waits to be sent, and the variants: whom nobody counts is in no experiment. */
export function deleteAnalyticsData(): void {
  const { unsent, identity, variant, userVariant, person } = MEASURE_KEYS
  for (const key of [unsent, identity, variant, userVariant, person]) local.remove(key)
}

/** Who is signed in here, as this browser remembers; null for nobody. */
export const rememberedUser = (): string | null => local.read(FIRST_KEYS.userId) || null

/** A variant with the key of its experiment. */
export interface ShownVariant {
  readonly experiment: string
  readonly variant: string
}

let documentVariant: { readonly known: ShownVariant | null } | null = null

/**
 * The variant that this document shows: the one that its browser knew when it was first asked for. What is learnt meanwhile is
 * for the next document, so that no price changes under anybody's eyes.
 */
export function shownVariant(): ShownVariant | null {
  documentVariant ??= { known: readVariant() }
  return documentVariant.known
}

/** An earlier version kept the variant alone: it counts for no experiment. */
function readVariant(): ShownVariant | null {
  const [experiment = '', variant = ''] = (local.read(variantKey(rememberedUser())) ?? '').split(' ')
  return variant === '' ? null : { experiment, variant }
}

/** Keeps the variant of an account, or of nobody's browser; null for none. */
export function writeVariant(experiment: string, variant: string | null, userId: string | null): void {
  if (variant === null) local.remove(variantKey(userId))
  else local.write(variantKey(userId), `${experiment} ${variant}`)
}

const variantKey = (userId: string | null) => (userId === null ? MEASURE_KEYS.variant : MEASURE_KEYS.userVariant)

/** Whether the kept answers about an experiment are about this person; those that come from now on are. */
export function isSamePerson(person: string): boolean {
  const isSame = local.read(MEASURE_KEYS.person) === person
  local.write(MEASURE_KEYS.person, person)
  return isSame
}

/** Whether what is shown is shown in this tab for the first time, which is remembered: no document counts it again. */
export function isFirstShown(exposureKey: string): boolean {
  const lines = (tab.read(MEASURE_KEYS.exposed) ?? '').split('\n')
  if (lines.includes(exposureKey)) return false
  tab.write(MEASURE_KEYS.exposed, [...lines, exposureKey].join('\n'))
  return true
}
