import * as v from 'valibot'
import type { SentEvent } from '../../../contract/telemetry/analytics-events.ts'
import { local } from './safe-storage.ts'
import { MEASURE_KEYS } from './analytics-keys.ts'
import { deleteAnalyticsData, readMeasuring, rememberedUser } from './analytics-opt-out.ts'

/** Events that can be read in this browser; of more the last ones. */
export const SENT_MAX = 200

/** A browser and its session: a random number, and when it began, ms UTC. */
export interface Browser {
  readonly deviceId: string
  readonly sessionId: number
}

const uuid = v.pipe(v.string(), v.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/))
/** Nobody's have no `user_id`. */
const unsentEvent = v.object({ user_id: v.optional(v.string()) })
const sent = v.object({
  ...{ event_type: v.string(), insert_id: v.string(), time: v.number(), session_id: v.number() },
  ...{ device_id: v.string(), user_id: v.optional(v.string()), app_version: v.string() },
  event_properties: v.record(v.string(), v.unknown()),
})
const identity = v.object({ userId: v.optional(v.string()), deviceId: uuid, sessionId: v.optional(v.number()) })

/** The kept value by its schema, null where it cannot be read. contract/wire/lenient-parse.ts would weigh on every first load. */
function read<T>(schema: v.GenericSchema<unknown, T>, key: string): T | null {
  try {
    const { success, output } = v.safeParse(schema, JSON.parse(local.read(key) ?? 'null'))
    return success ? output : null
  } catch {
    return null
  }
}

/** Entries of a kept list that can be read. */
function readList<T>(item: v.GenericSchema<unknown, T>, key: string): T[] {
  return (read(v.array(v.unknown()), key) ?? []).flatMap((entry) => {
    const { success, output } = v.safeParse(item, entry)
    return success ? [output] : []
  })
}

/** What this browser has sent of who is signed in and of nobody, the oldest first. */
export function readSent(): readonly SentEvent[] {
  return readList(sent, MEASURE_KEYS.sent).filter(belongsToUser(rememberedUser()))
}

/** Keeps what was sent now; what was sent of others goes. */
export function storeSentEvents(events: readonly SentEvent[]): void {
  const stored = [...readSent(), ...events.filter(belongsToUser(rememberedUser()))]
  local.write(MEASURE_KEYS.sent, JSON.stringify(stored.slice(-SENT_MAX)))
}

const belongsToUser =
  (userId: string | null) =>
  (event: { readonly user_id?: string | undefined }): boolean =>
    event.user_id === undefined || event.user_id === userId

/**
 * The browser that a page begins with, for an account or, null, for nobody: the one that was measured last, or a new one where
 * that was somebody else's. What waits of somebody else is dropped.
 */
export function browserFor(userId: string | null, now: number): Browser {
  dropOthers(userId)
  const stored = read(identity, MEASURE_KEYS.identity)
  return { deviceId: stored?.deviceId ?? crypto.randomUUID(), sessionId: stored?.sessionId || now }
}

/** Removes what may not be kept any more: everything where nothing is measured, else what is another's. `now` in ms UTC. */
export function tidyMeasured(now: number): void {
  if (readMeasuring(now) === 'on') dropOthers(rememberedUser())
  else deleteAnalyticsData()
}

function dropOthers(userId: string | null): void {
  const stored = read(identity, MEASURE_KEYS.identity)
  if (stored === null || (stored.userId ?? userId) !== userId) local.remove(MEASURE_KEYS.identity)
  const waiting = readList(unsentEvent, MEASURE_KEYS.unsent)
  if (!waiting.every(belongsToUser(userId))) local.remove(MEASURE_KEYS.unsent)
}
