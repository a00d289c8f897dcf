import type { CurrentUser } from '../../api/current-user.ts'
import { $userId, $webAppToken } from './session.ts'

/**
 * Returns the current-user response `me` of a request that was sent with `token`. If another tab has meanwhile stored a
 * newer token for the same user, the result contains the newer token (OPEN-17).
 */
export function preferNewerToken(me: CurrentUser, token: string): CurrentUser {
  const currentToken = $webAppToken.get()
  return currentToken === token || me.user_id !== $userId.get() ? me : { ...me, web_app_token: currentToken }
}
