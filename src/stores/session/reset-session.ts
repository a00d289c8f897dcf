import { FIRST_KEYS, local } from '../storage/safe-storage.ts'

/** Clears who is signed in, and nothing else (SESSION-06): what else is kept waits for the same user to come back. */
export function resetSession(): void {
  local.remove(FIRST_KEYS.email)
  local.remove(FIRST_KEYS.userId)
}
