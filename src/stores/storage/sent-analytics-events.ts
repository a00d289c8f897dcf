import * as v from 'valibot'
import type { SentEvent } from '../../../contract/telemetry/analytics-events.ts'
import { local } from './safe-storage.ts'
import { MEASURE_KEYS } from './analytics-keys.ts'
import { deleteAnalyticsData, readMeasuring, rememberedUser } from './analytics-opt-out.ts'

/** Maximum number of sent events stored for display; the newest stay. */
export const SENT_MAX = 200

/** Random id of a browser, and the id of its session: the session's start time, ms UTC. */
export interface AnalyticsBrowser {
  readonly deviceId: string
  readonly sessionId: number
}

const uuid = v.pipe(v.string(), v.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/))
/** Events while signed out have no `user_id`. */
const unsentEvent = v.object({ user_id: v.optional(v.string()) })
const sent = v.object({
  ...{ event_type: v.string(), insert_id: v.string(), time: v.number(), session_id: v.number() },
  ...{ device_id: v.string(), user_id: v.optional(v.string()), app_version: v.string() },
  event_properties: v.record(v.string(), v.unknown()),
})
const identity = v.object({ userId: v.optional(v.string()), deviceId: uuid, sessionId: v.optional(v.number()) })

/**
 * Reads a stored value by its schema; null if invalid. Does not use contract/wire/lenient-parse.ts, which would add to
 * every first load.
 */
function read<T>(schema: v.GenericSchema<unknown, T>, key: string): T | null {
  try {
    const { success, output } = v.safeParse(schema, JSON.parse(local.read(key) ?? 'null'))
    return success ? output : null
  } catch {
    return null
  }
}

function readList<T>(item: v.GenericSchema<unknown, T>, key: string): T[] {
  return (read(v.array(v.unknown()), key) ?? []).flatMap((entry) => {
    const { success, output } = v.safeParse(item, entry)
    return success ? [output] : []
  })
}

/** Returns the events that this browser sent for the signed-in user or while signed out, oldest first. */
export function readSent(): readonly SentEvent[] {
  return readList(sent, MEASURE_KEYS.sent).filter(belongsToUser(rememberedUser()))
}

/** Stores sent events and drops those of other users. */
export function storeSentEvents(events: readonly SentEvent[]): void {
  const stored = [...readSent(), ...events.filter(belongsToUser(rememberedUser()))]
  local.write(MEASURE_KEYS.sent, JSON.stringify(stored.slice(-SENT_MAX)))
}

const belongsToUser =
  (userId: string | null) =>
  (event: { readonly user_id?: string | undefined }): boolean =>
    event.user_id === undefined || event.user_id === userId

/**
 * Returns the analytics identity for an account, or for a signed-out visitor (null): the stored identity, or a new one
 * if the stored one belongs to another user. Drops another user's unsent events.
 */
export function browserFor(userId: string | null, now: number): AnalyticsBrowser {
  dropOthers(userId)
  const stored = read(identity, MEASURE_KEYS.identity)
  return { deviceId: stored?.deviceId ?? crypto.randomUUID(), sessionId: stored?.sessionId || now }
}

/**
 * Deletes analytics data that may not stay: all of it if analytics is off, otherwise that of other users. `now` in ms
 * UTC.
 */
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
