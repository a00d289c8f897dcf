import { atom } from 'nanostores'
import type { Me } from '../../api/current-user.ts'
import { keptText } from '../storage/persistent-atoms.ts'
import { KEYS, local, tab } from '../storage/storage-keys.ts'

/** Signed-in user (SESSION-01, SESSION-02); '' if signed out. */
export const $email = keptText(KEYS.email, '')
export const $userId = keptText(KEYS.userId, '')
/** `owner` or `shared`, from the roles of the user's cameras (OPEN-45). */
export const $userRole = keptText(KEYS.userRole, '')
/** Handle of the token generation; grants nothing without the session cookie (OPEN-19). */
export const $webAppToken = keptText(KEYS.webAppToken, '')
/**
 * True if the account is enrolled in search and search is available. Set after each load of the enrollment; not
 * persisted (OPEN-124).
 */
export const $videoSearchSwitch = atom(false)

export interface AuthStatus {
  readonly isLogin: boolean
  readonly loaded: boolean
}
export const $auth = atom<AuthStatus>({ isLogin: false, loaded: false })

/**
 * Stores the current-user response; `me` is null after every failure, which counts as unauthenticated (AUTH-05). If the
 * user differs from the last one in this browser or tab, clears the previous user's data (OPEN-42).
 */
export function settleSession(me: Me | null): void {
  if (me) {
    for (const storage of [local, tab]) {
      if ((storage.read(KEYS.keptFor) ?? me.user_id) !== me.user_id) storage.clear()
      storage.write(KEYS.keptFor, me.user_id)
    }
    $email.set(me.user_account)
    $userId.set(me.user_id)
    $webAppToken.set(me.web_app_token)
  }
  $auth.set({ isLogin: me !== null, loaded: true })
}
