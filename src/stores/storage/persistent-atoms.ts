import { persistentAtom, persistentBoolean, setPersistentEngine } from '@nanostores/persistent'
import type { WritableAtom } from 'nanostores'
import type { CLIP_KEYS } from './clip-keys.ts'
import type { BILLING_KEYS } from './billing-keys.ts'
import type { VISIT_KEYS } from './visit-keys.ts'
import { STORAGE_KEYS, safeLocalStorage } from './storage-keys.ts'

type PersistentKey =
  | (typeof STORAGE_KEYS)[keyof typeof STORAGE_KEYS]
  | (typeof CLIP_KEYS)[keyof typeof CLIP_KEYS]
  | (typeof BILLING_KEYS)[keyof typeof BILLING_KEYS]
  | (typeof VISIT_KEYS)[keyof typeof VISIT_KEYS]
  /** Keys of the camera setup and of the home's time zone. `STORAGE_KEYS` omits them, because first loads contain it. */
  | 'browser_bridge_seals'
  | 'home_time_zone'

/** Storage engine that connects @nanostores/persistent to the safe storage. */
const safeStorageEngine = new Proxy<Record<string, string>>(
  {},
  {
    has: (_, key) => safeLocalStorage.read(String(key)) !== null,
    get: (_, key) => safeLocalStorage.read(String(key)) ?? undefined,
    // Skips a value that equals the stored one. A repeated write could undo a change by another tab that this tab has
    // not seen.
    set: (_, key, value: string) => (
      safeLocalStorage.read(String(key)) === value || safeLocalStorage.write(String(key), value),
      true
    ),
    deleteProperty: (_, key) => (safeLocalStorage.remove(String(key)), true),
  },
)

/** Event source for the storage library. It does nothing during prerendering, because there is no window. */
const storageEvents = {
  addEventListener(_: string, listener: (e: StorageEvent) => void, restore: () => void) {
    if (typeof window === 'undefined') return
    window.addEventListener('storage', listener)
    window.addEventListener('pageshow', restore)
  },
  removeEventListener(_: string, listener: (e: StorageEvent) => void, restore: () => void) {
    if (typeof window === 'undefined') return
    window.removeEventListener('storage', listener)
    window.removeEventListener('pageshow', restore)
  },
}

setPersistentEngine(safeStorageEngine, storageEvents as unknown as Parameters<typeof setPersistentEngine>[1])

/** Creates a persisted string. Text that `isValid` rejects counts as absent. */
export const persistentText = (
  key: PersistentKey,
  initial: string,
  isValid = (_: string) => true,
): WritableAtom<string> =>
  persistentAtom(key, initial, {
    decode: (text) => (isValid(text) ? text : initial),
    encode: (text) => text,
  })

export const persistentFlag = (key: PersistentKey, initial = false): WritableAtom<boolean> =>
  persistentBoolean(key, initial)

/** Creates a persisted JSON value. Invalid JSON, or a value that `isValid` rejects, counts as absent. */
export function persistentJson<T>(
  key: PersistentKey,
  initial: T,
  isValid: (value: unknown) => value is T,
): WritableAtom<T> {
  const decode = (text: string): T => {
    try {
      const value: unknown = JSON.parse(text)
      return isValid(value) ? value : initial
    } catch {
      return initial
    }
  }
  return persistentAtom<T>(key, initial, { decode, encode: JSON.stringify })
}
