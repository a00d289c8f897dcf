import type { Me } from '../../api/current-user.ts'
import { $userId, $webAppToken } from './session.ts'

/**
 * Returns the current-user response to a request that was sent with `token`. If another tab has stored a newer token
 * since then, keeps the newer token (OPEN-17).
 */
export function discardStaleUser(me: Me, token: string): Me {
  const currentToken = $webAppToken.get()
  return currentToken === token || me.user_id !== $userId.get() ? me : { ...me, web_app_token: currentToken }
}
