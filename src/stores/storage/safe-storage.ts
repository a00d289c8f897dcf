/**
 * The only door to browser storage. Reads and writes never throw (STORE-22); where storage is blocked or full, values live in
 * memory until the page is left. The keys here are those of pages for everybody, which weigh 3 KB at most; all of them are
 * in storage-keys.ts.
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

/** Keys of the tab, in session storage, that pages for everybody use; the others are in storage-keys.ts. */
export const TAB_KEYS = {
  authorizeTimes: 'authorize_times',
  returnTimes: 'return_times',
  nextToast: 'next_toast',
} as const

/** Kept when the user signs out: the currency, and what is called the browser's (OPEN-42, OPEN-148). Everything else belongs to the user. */
const KEPT = /^(browser_|currentCurrency$)/

export interface Box {
  readonly read: (key: string) => string | null
  /** Answers whether the value outlives the page. */
  readonly write: (key: string, value: string) => boolean
  readonly remove: (key: string) => void
  /** Forgets everything that belongs to the user: all but what is KEPT. */
  readonly clear: () => void
}

/** A storage that swallows every failure and falls back to memory. `open` may throw, as `window.localStorage` does. */
export function createSafeStorage(open: () => Storage): Box {
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

/** Both forget everything that belongs to the user who was signed in (OPEN-42). */
export function clearUserScoped(): void {
  local.clear()
  tab.clear()
}
