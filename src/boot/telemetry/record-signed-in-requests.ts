import { FIRST_KEYS, local } from '../../stores/storage/safe-storage.ts'

/**
 * Starts recording this page's requests in the action log if this browser still knows the user of their session
 * (OPEN-137).
 */
export function recordKnown(): void {
  if (local.read(FIRST_KEYS.userId)) import('./record-requests.ts').catch(console.debug)
}
