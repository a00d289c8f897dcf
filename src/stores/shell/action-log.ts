import { appendToLog, readActionLog, type LogEntry, type LogStorage } from '../../services/action-log.ts'
import type { LoggedRequest } from '../../services/logged-fetch.ts'
import { STORAGE_KEYS, safeLocalStorage } from '../storage/storage-keys.ts'

const logStorage: LogStorage = {
  read: () => safeLocalStorage.read(STORAGE_KEYS.actionLog),
  write: (text) => void safeLocalStorage.write(STORAGE_KEYS.actionLog, text),
  bytes: measureLocalStorageBytes,
}

export const logRequests = (requests: readonly LoggedRequest[]): void => appendToLog(logStorage, requests)
/** Logs a POST request that ends now. `at`: start, ms UTC; `status` 0 means no response. */
export const logPost = (url: string, status: number, at: number): void =>
  logRequests([{ at, method: 'POST', url, status, ms: Date.now() - at }])

export const readLoggedEntries = (): readonly LogEntry[] => readActionLog(logStorage)

/** Returns the size of local storage at two bytes per character; 0 if storage is blocked. */
function measureLocalStorageBytes(): number {
  try {
    return Object.entries(localStorage).reduce((sum, [key, value]) => sum + 2 * (key.length + String(value).length), 0)
  } catch {
    return 0
  }
}
