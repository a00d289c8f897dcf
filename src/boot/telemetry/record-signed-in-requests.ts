import { FIRST_KEYS, local } from '../../stores/storage/safe-storage.ts'

/** Has what this page asks written to the action log, where the session that it belongs to is still known here (OPEN-137). */
export function recordKnown(): void {
  if (local.read(FIRST_KEYS.userId)) import('./record-requests.ts').catch(console.debug)
}
