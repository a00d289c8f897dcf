/**
 * Storage keys of public pages, whose JavaScript is limited to 3 KiB. The storages of this module never throw
 * (STORE-22): if browser storage is blocked or full, they keep values in memory until the page closes.
 */
export const PUBLIC_PAGE_KEYS = {
  webAppToken: 'web_app_token',
  codeChallenge: 'code_challenge',
  kountSessionId: 'kount_session_id',
  lastPath: 'last_visited_path',
  email: 'email',
  userId: 'userId',
  refreshDue: 'token_refresh_due',
  browserNotice: 'browser_notice_dismissed',
} as const

/** Session storage keys of public pages. */
export const TAB_KEYS = {
  authorizeTimes: 'authorize_times',
  returnTimes: 'return_times',
  nextToast: 'next_toast',
} as const

/**
 * Keys that survive a sign-out: the currency, and the keys that belong to the browser (OPEN-42, OPEN-148). A sign-out
 * deletes all other keys.
 */
const KEYS_KEPT_AT_SIGN_OUT = /^(browser_|currentCurrency$)/

export interface SafeStorage {
  readonly read: (key: string) => string | null
  /** Returns true if the value was persisted. */
  readonly write: (key: string, value: string) => boolean
  readonly remove: (key: string) => void
  readonly listKeys: () => string[]
  /** Deletes all data of the user: every key that does not match KEYS_KEPT_AT_SIGN_OUT. */
  readonly clear: () => void
}

/**
 * Creates a storage that catches every error and falls back to memory. `getStorage` may throw, because reading
 * `window.localStorage` throws if the browser blocks storage.
 */
export function createSafeStorage(getStorage: () => Storage): SafeStorage {
  const memory = new Map<string, string>()
  const runSafely = <T>(task: (storage: Storage) => T): T | undefined => {
    try {
      return task(getStorage())
    } catch {
      return
    }
  }
  const remove = (key: string) => {
    memory.delete(key)
    runSafely((storage) => storage.removeItem(key))
  }
  const listKeys = () => [...memory.keys(), ...(runSafely(Object.keys) ?? [])]
  return {
    remove,
    listKeys,
    clear() {
      for (const key of listKeys()) if (!KEYS_KEPT_AT_SIGN_OUT.test(key)) remove(key)
    },
    read: (key) => memory.get(key) ?? runSafely((storage) => storage.getItem(key)) ?? null,
    write(key, value) {
      const stored = !!runSafely((storage) => (storage.setItem(key, value), true))
      if (stored) memory.delete(key)
      else memory.set(key, value)
      return stored
    },
  }
}

export const safeLocalStorage = createSafeStorage(() => localStorage)
export const safeSessionStorage = createSafeStorage(() => sessionStorage)

/** Deletes all data of the previously signed-in user from both storages (OPEN-42). */
export function clearUserData(): void {
  safeLocalStorage.clear()
  safeSessionStorage.clear()
}
