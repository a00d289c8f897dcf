import { FIRST_KEYS, local } from '../storage/safe-storage.ts'

/** Clears only the signed-in user (SESSION-06); the remaining data waits for the same user to return. */
export function resetSession(): void {
  local.remove(FIRST_KEYS.email)
  local.remove(FIRST_KEYS.userId)
}
