import { appendToLog, readActionLog, type LogEntry, type LogPlace } from '../../services/action-log.ts'
import type { Exchange } from '../../services/logged-fetch.ts'
import { KEYS, local } from '../storage/storage-keys.ts'

const place: LogPlace = {
  read: () => local.read(KEYS.actionLog),
  write: (text) => void local.write(KEYS.actionLog, text),
  bytes: storedBytes,
}

export const logExchanges = (exchanges: readonly Exchange[]): void => appendToLog(place, exchanges)
export const loggedEntries = (): readonly LogEntry[] => readActionLog(place)

/** Returns how many bytes of local storage are in use, at two bytes per character; 0 if storage is blocked. */
function storedBytes(): number {
  try {
    return Object.entries(localStorage).reduce((sum, [key, value]) => sum + 2 * (key.length + String(value).length), 0)
  } catch {
    return 0
  }
}
