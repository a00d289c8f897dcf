/**
 * Storage keys of public pages, which are limited to 3 KB; storage-keys.ts lists all keys. Only this module accesses
 * browser storage. Reads and writes never throw (STORE-22): if storage is blocked or full, values stay in memory until
 * the page is left.
 */
export const FIRST_KEYS = {
  webAppToken: 'web_app_token',
  codeChallenge: 'code_challenge',
  kountSessionId: 'kount_session_id',
  lastPath: 'last_visited_path',
  email: 'email',
  userId: 'userId',
  refreshDue: 'token_refresh_due',
  browserNotice: 'browser_notice_dismissed',
} as const

/** Session storage keys of public pages; storage-keys.ts lists the others. */
export const TAB_KEYS = {
  authorizeTimes: 'authorize_times',
  returnTimes: 'return_times',
  nextToast: 'next_toast',
} as const

/**
 * Keys that survive a sign-out: the currency and the browser's keys (OPEN-42, OPEN-148). All others belong to the user.
 */
const KEPT = /^(browser_|currentCurrency$)/

export interface SafeStorage {
  readonly read: (key: string) => string | null
  /** Returns true if the value was persisted. */
  readonly write: (key: string, value: string) => boolean
  readonly remove: (key: string) => void
  /** Deletes all data of the user: every key that does not match KEPT. */
  readonly clear: () => void
}

/**
 * Creates a storage that swallows every error and falls back to memory. `open` may throw, as `window.localStorage`
 * does.
 */
export function createSafeStorage(open: () => Storage): SafeStorage {
  const memory = new Map<string, string>()
  const attempt = <T>(task: (storage: Storage) => T): T | undefined => {
    try {
      return task(open())
    } catch {
      return
    }
  }
  const remove = (key: string) => {
    memory.delete(key)
    attempt((storage) => storage.removeItem(key))
  }
  return {
    remove,
    clear() {
      for (const key of [...memory.keys(), ...(attempt(Object.keys) ?? [])]) if (!KEPT.test(key)) remove(key)
    },
    read: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    write(key, value) {
      const stored = !!attempt((storage) => (storage.setItem(key, value), true))
      if (stored) memory.delete(key)
      else memory.set(key, value)
      return stored
    },
  }
}

export const local = createSafeStorage(() => localStorage)
export const tab = createSafeStorage(() => sessionStorage)

/** Deletes all data of the previously signed-in user from both storages (OPEN-42). */
export function clearUserScoped(): void {
  local.clear()
  tab.clear()
}
