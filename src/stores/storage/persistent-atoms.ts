import { persistentAtom, persistentBoolean, setPersistentEngine } from '@nanostores/persistent'
import type { WritableAtom } from 'nanostores'
import type { CLIP_KEYS } from './clip-keys.ts'
import type { MONEY_KEYS } from './billing-keys.ts'
import { KEYS, local } from './storage-keys.ts'

type Key =
  | (typeof KEYS)[keyof typeof KEYS]
  | (typeof CLIP_KEYS)[keyof typeof CLIP_KEYS]
  | (typeof MONEY_KEYS)[keyof typeof MONEY_KEYS]
  /** Key of the camera setup, which is never part of a first load. */
  | 'browser_bridge_seals'

/** Connects @nanostores/persistent to the safe storage. */
const engine = new Proxy<Record<string, string>>(
  {},
  {
    has: (_, key) => local.read(String(key)) !== null,
    get: (_, key) => local.read(String(key)) ?? undefined,
    // An equal value is not written again: that would undo a change by another tab that this tab has not seen yet.
    set: (_, key, value: string) => (local.read(String(key)) === value || local.write(String(key), value), true),
    deleteProperty: (_, key) => (local.remove(String(key)), true),
  },
)

/** Event target for the storage library. Does nothing during prerendering, where stores are read without a window. */
const events = {
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

setPersistentEngine(engine, events as unknown as Parameters<typeof setPersistentEngine>[1])

/** Creates a persisted string. Text that `accept` rejects counts as absent. */
export const keptText = (key: Key, initial: string, accept = (_: string) => true): WritableAtom<string> =>
  persistentAtom(key, initial, {
    decode: (text) => (accept(text) ? text : initial),
    encode: (text) => text,
  })

export const keptFlag = (key: Key, initial = false): WritableAtom<boolean> => persistentBoolean(key, initial)

/** Creates a persisted JSON value; invalid JSON, or a value that `accept` rejects, counts as absent. */
export function keptJson<T>(key: Key, initial: T, accept: (value: unknown) => value is T): WritableAtom<T> {
  const decode = (text: string): T => {
    try {
      const value: unknown = JSON.parse(text)
      return accept(value) ? value : initial
    } catch {
      return initial
    }
  }
  return persistentAtom<T>(key, initial, { decode, encode: JSON.stringify })
}
