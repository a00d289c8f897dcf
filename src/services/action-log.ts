import { maskValue, maskUrl } from '../../contract/telemetry/mask-secrets.ts'
import type { LoggedRequest } from './logged-fetch.ts'

const LOG_LIMITS = { entries: 200, trim: 20, bytes: 3 * 1024 * 1024 }

/**
 * Entry of the action log (LOG-01, OPEN-114). The browser stores the log of its requests in local storage, and the user
 * can download the log.
 */
export interface LogEntry {
  readonly time: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly payload?: unknown
}

/** Storage that contains the log. `bytes`: returns the size of this origin's whole local storage. */
export interface LogStorage {
  readonly read: () => string | null
  readonly write: (text: string) => void
  readonly bytes: () => number
}

const UNLOGGED_URL_PATTERN = /upload|feedback/i
const PAYLOAD_MAX_CHARS = 4000

/**
 * Appends requests to the log, except those whose URL contains `upload` or `feedback`. Keeps the newest 200 entries,
 * and removes the oldest 20 at a time while storage exceeds 3 MiB.
 */
export function appendToLog(storage: LogStorage, exchanges: readonly LoggedRequest[]): void {
  const addedEntries = exchanges.filter(({ url }) => !UNLOGGED_URL_PATTERN.test(url)).map(toLogEntry)
  if (addedEntries.length === 0) return
  let entries = [...readActionLog(storage), ...addedEntries].slice(-LOG_LIMITS.entries)
  storage.write(JSON.stringify(entries))
  while (entries.length > 0 && storage.bytes() > LOG_LIMITS.bytes) {
    entries = entries.slice(LOG_LIMITS.trim)
    storage.write(JSON.stringify(entries))
  }
}

/** Returns the entries, oldest first; empty if the stored value is not a JSON array. */
export function readActionLog(storage: Pick<LogStorage, 'read'>): readonly LogEntry[] {
  try {
    const list: unknown = JSON.parse(storage.read() ?? '[]')
    return Array.isArray(list) ? (list as LogEntry[]) : []
  } catch {
    return []
  }
}

function toLogEntry({ at, method, url, status, ms, payload }: LoggedRequest): LogEntry {
  const sent = payload === undefined ? undefined : maskPayload(payload)
  return {
    time: new Date(at).toISOString(),
    method,
    url: maskUrl(url),
    status,
    ms,
    ...(sent === undefined ? {} : { payload: sent }),
  }
}

/** Masks the body, then truncates it. Returns undefined for a body that is not JSON, so that the body is not logged. */
function maskPayload(text: string): unknown {
  try {
    const masked = maskValue(JSON.parse(text))
    const json = JSON.stringify(masked)
    return json.length > PAYLOAD_MAX_CHARS ? `${json.slice(0, PAYLOAD_MAX_CHARS)} ...` : masked
  } catch {
    return undefined
  }
}
