import { FIRST_KEYS, local } from '../../stores/storage/safe-storage.ts'

/** Records this page's requests in the action log if the user of their session is still known here (OPEN-137). */
export function recordKnown(): void {
  if (local.read(FIRST_KEYS.userId)) import('./record-requests.ts').catch(console.debug)
}
