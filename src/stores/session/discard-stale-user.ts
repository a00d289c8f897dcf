import type { Me } from '../../api/current-user.ts'
import { $userId, $webAppToken } from './session.ts'

/**
 * Returns the current-user response to a request with `token`. If another tab has stored a later token since, that
 * token stays (OPEN-17).
 */
export function discardStaleUser(me: Me, token: string): Me {
  const currentToken = $webAppToken.get()
  return currentToken === token || me.user_id !== $userId.get() ? me : { ...me, web_app_token: currentToken }
}
