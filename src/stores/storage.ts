/**
 * Every key that the portal keeps in browser storage, and the only door to it. Names given by the spec stay literal, the
 * others are named as the spec names the store (OPEN-43). Reads and writes never throw (spec §8); where storage is
 * blocked or full, values live in memory until the page is left.
 */
export const KEYS = {
  webAppToken: 'web_app_token',
  codeChallenge: 'code_challenge',
  kountSessionId: 'kount_session_id',
  lastPath: 'last_visited_path',
  email: 'email',
  userId: 'userId',
  userRole: 'userRole',
  isJoinT3List: 'isJoinT3List',
  noServices: 'isNoServices',
  homeId: 'home_id',
  userCameras: 'user-cameras',
  filterCameras: 'filterCamerasStore',
  liveLayout: 'liveLayout',
  models: 'modelsStore',
  modelIds: 'modelIdsStore',
  userServices: 'userServices',
  routeParams: 'routeParams',
  refreshDue: 'token_refresh_due',
  currency: 'currentCurrency',
  browserNotice: 'browser_notice_dismissed',
  actionLog: 'action_log',
} as const

/** Kept when the user signs out (OPEN-42); everything else belongs to the user. */
const KEPT: readonly string[] = [KEYS.currency, KEYS.browserNotice]

/** Keys of the tab, in session storage. */
export const TAB_KEYS = {
  authorizeTimes: 'authorize_times',
  returnTimes: 'return_times',
  nextToast: 'next_toast',
  storageTold: 'storage_told',
} as const

export interface Box {
  readonly read: (key: string) => string | null
  /** Answers whether the value outlives the page. */
  readonly write: (key: string, value: string) => boolean
  readonly remove: (key: string) => void
}

/** A storage that swallows every failure and falls back to memory. `open` may throw, as `window.localStorage` does. */
export function box(open: () => Storage): Box {
  const memory = new Map<string, string>()
  const attempt = <T>(task: (storage: Storage) => T, otherwise: T): T => {
    try {
      return task(open())
    } catch {
      return otherwise
    }
  }
  return {
    read: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key), null),
    write(key, value) {
      const stored = attempt((storage) => (storage.setItem(key, value), true), false)
      if (stored) memory.delete(key)
      else memory.set(key, value)
      return stored
    },
    remove(key) {
      memory.delete(key)
      attempt((storage) => storage.removeItem(key), undefined)
    },
  }
}

export const local = box(() => localStorage)
export const tab = box(() => sessionStorage)

/** Forgets everything that belongs to the user who was signed in (OPEN-42). */
export function clearUserScoped(): void {
  for (const key of Object.values(KEYS)) if (!KEPT.includes(key)) local.remove(key)
}
