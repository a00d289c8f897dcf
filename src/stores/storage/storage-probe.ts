import { safeLocalStorage } from './storage-keys.ts'

/** Writes and removes a test value. Returns true if stored values persist after the page closes (OPEN-48). */
export function canPersistStorage(): boolean {
  const isPersisted = safeLocalStorage.write('storage_probe', '1')
  safeLocalStorage.remove('storage_probe')
  return isPersisted
}
