import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../stores/storage/safe-storage.ts'

/**
 * Starts recording this page's requests in the action log if this browser still stores the user id of the session
 * (OPEN-137).
 */
export function recordSignedInRequests(): void {
  if (safeLocalStorage.read(PUBLIC_PAGE_KEYS.userId))
    import('./record-requests.ts').then((it) => it.recordRequests(), console.debug)
}
