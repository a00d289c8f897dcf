import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../storage/safe-storage.ts'

/**
 * Removes only the email address and the id of the signed-in user from storage (SESSION-06). All other stored data
 * stays, because the same user may sign in again.
 */
export function clearSignedInUser(): void {
  safeLocalStorage.remove(PUBLIC_PAGE_KEYS.email)
  safeLocalStorage.remove(PUBLIC_PAGE_KEYS.userId)
}
