import { FIRST_KEYS, local } from '../storage/safe-storage.ts'

/** Clears only the signed-in user (SESSION-06). All other stored data stays, in case the same user signs in again. */
export function resetSession(): void {
  local.remove(FIRST_KEYS.email)
  local.remove(FIRST_KEYS.userId)
}
