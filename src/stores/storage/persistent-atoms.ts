import { persistentAtom, persistentBoolean, setPersistentEngine } from '@nanostores/persistent'
import type { WritableAtom } from 'nanostores'
import type { CLIP_KEYS } from './clip-keys.ts'
import type { MONEY_KEYS } from './billing-keys.ts'
import { KEYS, local } from './storage-keys.ts'

type Key =
  | (typeof KEYS)[keyof typeof KEYS]
  | (typeof CLIP_KEYS)[keyof typeof CLIP_KEYS]
  | (typeof MONEY_KEYS)[keyof typeof MONEY_KEYS]
  /** Of the lazy part that adds cameras, which no first load carries. */
  | 'browser_bridge_seals'

/** Lets @nanostores/persistent work through the one safe door to browser storage. */
const engine = new Proxy<Record<string, string>>(
  {},
  {
    has: (_, key) => local.read(String(key)) !== null,
    get: (_, key) => local.read(String(key)) ?? undefined,
    // What is there already is not written again: that would undo what another tab has written and this one not yet seen.
    set: (_, key, value: string) => (local.read(String(key)) === value || local.write(String(key), value), true),
    deleteProperty: (_, key) => (local.remove(String(key)), true),
  },
)

/** Stores are also read where pages are prerendered, without a window. */
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

/** A persisted string. Text that `accept` refuses counts as absent. */
export const keptText = (key: Key, initial: string, accept = (_: string) => true): WritableAtom<string> =>
  persistentAtom(key, initial, {
    decode: (text) => (accept(text) ? text : initial),
    encode: (text) => text,
  })

/** A persisted flag. */
export const keptFlag = (key: Key, initial = false): WritableAtom<boolean> => persistentBoolean(key, initial)

/** A persisted value of any JSON shape; text that is no JSON, or that `accept` refuses, counts as absent. */
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
