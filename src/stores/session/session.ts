import { atom } from 'nanostores'
import type { CurrentUser } from '../../api/current-user.ts'
import { persistentText } from '../storage/persistent-atoms.ts'
import { STORAGE_KEYS, safeLocalStorage, safeSessionStorage } from '../storage/storage-keys.ts'

/** Email address and id of the signed-in user (SESSION-01, SESSION-02); '' if signed out. */
export const $email = persistentText(STORAGE_KEYS.email, '')
export const $userId = persistentText(STORAGE_KEYS.userId, '')
/**
 * `owner` or `shared`, derived from the user's roles for the cameras (OPEN-45); '' until the cameras have first loaded.
 */
export const $userRole = persistentText(STORAGE_KEYS.userRole, '')
/** Opaque id of the token generation. It grants no access without the session cookie (OPEN-19). */
export const $webAppToken = persistentText(STORAGE_KEYS.webAppToken, '')
/**
 * True if the account is enrolled in search and a plan includes search. Set by each load of the enrollment; not
 * persisted (OPEN-124).
 */
export const $videoSearchSwitch = atom(false)

export interface AuthStatus {
  readonly isLogin: boolean
  readonly loaded: boolean
}
export const $auth = atom<AuthStatus>({ isLogin: false, loaded: false })

/**
 * Stores the current-user response. `user` is null after any failure, which counts as signed out (AUTH-05). If stored
 * data belongs to another user, deletes that data first (OPEN-42).
 */
export function storeCurrentUser(user: CurrentUser | null): void {
  if (user) {
    for (const storage of [safeLocalStorage, safeSessionStorage]) {
      if ((storage.read(STORAGE_KEYS.keptFor) ?? user.user_id) !== user.user_id) {
        storage.clear()
        // Resets the persistent stores that are in use. The browser sends this event only to other tabs.
        dispatchEvent(new StorageEvent('storage'))
      }
      storage.write(STORAGE_KEYS.keptFor, user.user_id)
    }
    $email.set(user.user_account)
    $userId.set(user.user_id)
    $webAppToken.set(user.web_app_token)
  }
  $auth.set({ isLogin: user !== null, loaded: true })
}
