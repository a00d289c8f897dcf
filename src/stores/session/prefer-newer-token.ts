import type { CurrentUser } from '../../api/current-user.ts'
import { $userId, $webAppToken } from './session.ts'

/**
 * Returns the current-user response `user` of a request that was sent with `token`. If another tab has meanwhile stored
 * a newer token for the same user, the result contains the newer token (OPEN-17).
 */
export function preferNewerToken(user: CurrentUser, token: string): CurrentUser {
  const currentToken = $webAppToken.get()
  return currentToken === token || user.user_id !== $userId.get() ? user : { ...user, web_app_token: currentToken }
}
