import * as v from 'valibot'
import type { SentEvent } from '../../../contract/telemetry/analytics-events.ts'
import { safeLocalStorage } from './safe-storage.ts'
import { ANALYTICS_KEYS } from './analytics-keys.ts'
import { deleteAnalyticsData, listUnsentKeys, readAnalyticsState, readRememberedUserId } from './analytics-opt-out.ts'

/** Maximum number of stored sent events. Only the newest are stored, for display. */
export const MAX_SENT_EVENTS = 200

/** Random id of a browser, and its session. Times in ms UTC. */
export interface AnalyticsBrowser {
  readonly deviceId: string
  /** Start of the session. */
  readonly sessionId: number
  /** Time of the session's last event; null for a new session. */
  readonly lastEventTime: number | null
}

const uuidSchema = v.pipe(v.string(), v.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/))
/** An event that was recorded while signed out has no `user_id`. */
const eventSchema = v.object({
  event_type: v.string(),
  insert_id: v.string(),
  time: v.number(),
  session_id: v.number(),
  device_id: v.string(),
  user_id: v.optional(v.string()),
  app_version: v.string(),
  event_properties: v.record(v.string(), v.unknown()),
})
const identitySchema = v.object({
  userId: v.optional(v.string()),
  deviceId: uuidSchema,
  sessionId: v.optional(v.number()),
  lastEventTime: v.optional(v.number()),
})

/**
 * Reads a stored value by its schema; null if invalid. It does not use contract/wire/lenient-parse.ts, because that
 * code would enlarge every first load.
 */
function readStored<T>(schema: v.GenericSchema<unknown, T>, key: string): T | null {
  try {
    const { success, output } = v.safeParse(schema, JSON.parse(safeLocalStorage.read(key) ?? 'null'))
    return success ? output : null
  } catch {
    return null
  }
}

function readStoredList<T>(item: v.GenericSchema<unknown, T>, key: string): T[] {
  return (readStored(v.array(v.unknown()), key) ?? []).flatMap((entry) => {
    const { success, output } = v.safeParse(item, entry)
    return success ? [output] : []
  })
}

/** Returns the sent events of the signed-in user, and those that this browser sent while signed out, oldest first. */
export function readSentEvents(): readonly SentEvent[] {
  return readStoredList(eventSchema, ANALYTICS_KEYS.sent).filter(createUserFilter(readRememberedUserId()))
}

/**
 * Adds sent events to the stored ones. Discards events of other users, and the oldest events above `MAX_SENT_EVENTS`.
 */
export function storeSentEvents(events: readonly SentEvent[]): void {
  const stored = [...readSentEvents(), ...events.filter(createUserFilter(readRememberedUserId()))]
  safeLocalStorage.write(ANALYTICS_KEYS.sent, JSON.stringify(stored.slice(-MAX_SENT_EVENTS)))
}

const createUserFilter =
  (userId: string | null) =>
  (event: { readonly user_id?: string | undefined }): boolean =>
    event.user_id === undefined || event.user_id === userId

/**
 * Returns the analytics ids for an account, or for a signed-out visitor (null). First deletes stored data of another
 * user, then creates ids that are missing. `now`: ms UTC.
 */
export function getAnalyticsBrowser(userId: string | null, now: number): AnalyticsBrowser {
  deleteOtherUsersData(userId)
  const stored = readStored(identitySchema, ANALYTICS_KEYS.identity)
  const { deviceId = crypto.randomUUID(), sessionId = 0, lastEventTime } = stored ?? {}
  return sessionId > 0
    ? { deviceId, sessionId, lastEventTime: lastEventTime ?? now }
    : { deviceId, sessionId: now, lastEventTime: null }
}

/** Stores the ids of this browser, in the format of the library. */
export function storeAnalyticsBrowser(userId: string | null, { deviceId, sessionId, lastEventTime }: AnalyticsBrowser) {
  const session = lastEventTime === null ? {} : { sessionId, lastEventTime }
  const identity = { deviceId, ...session, ...(userId !== null && { userId }) }
  safeLocalStorage.write(ANALYTICS_KEYS.identity, JSON.stringify(identity))
}

let addedEventCount = 0

/** Returns the events that no page of this browser has sent yet, oldest first. */
export function readUnsentEvents(): readonly SentEvent[] {
  const earlierEvents = readStoredList(eventSchema, ANALYTICS_KEYS.unsent)
  if (earlierEvents.length > 0) safeLocalStorage.remove(ANALYTICS_KEYS.unsent)
  for (const event of earlierEvents) addUnsentEvent(event)
  return listUnsentKeys().flatMap((key) => readStored(eventSchema, key) ?? [])
}

/** Stores an event under a key of its own, because tabs that share a key would overwrite each other's events. */
export function addUnsentEvent(event: SentEvent): void {
  // Both numbers have a fixed length, so that the order of the keys is the order of the events.
  const order = [Date.now(), String(++addedEventCount).padStart(9, '0'), event.insert_id].join('_')
  safeLocalStorage.write(`${ANALYTICS_KEYS.unsent}_${order}`, JSON.stringify(event))
}

export function removeUnsentEvents(ids: ReadonlySet<string>): void {
  for (const key of listUnsentKeys()) if (ids.has(key.slice(key.lastIndexOf('_') + 1))) safeLocalStorage.remove(key)
}

/**
 * If analytics is off, deletes analytics ids, unsent events and variants. Otherwise, deletes the ids if they are not
 * valid or belong to another user, and all unsent events if one belongs to another user. `now` is in ms UTC.
 */
export function deleteStaleAnalyticsData(now: number): void {
  if (readAnalyticsState(now) === 'on') deleteOtherUsersData(readRememberedUserId())
  else deleteAnalyticsData()
}

function deleteOtherUsersData(userId: string | null): void {
  const stored = readStored(identitySchema, ANALYTICS_KEYS.identity)
  if (stored === null || (stored.userId ?? userId) !== userId) safeLocalStorage.remove(ANALYTICS_KEYS.identity)
  if (!readUnsentEvents().every(createUserFilter(userId)))
    for (const key of listUnsentKeys()) safeLocalStorage.remove(key)
}
