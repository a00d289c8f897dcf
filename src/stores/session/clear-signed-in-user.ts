import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../storage/safe-storage.ts'

/**
 * Clears only the signed-in user (SESSION-06). All other stored data stays, because the same user may sign in again.
 */
export function clearSignedInUser(): void {
  safeLocalStorage.remove(PUBLIC_PAGE_KEYS.email)
  safeLocalStorage.remove(PUBLIC_PAGE_KEYS.userId)
}
