import type { Me } from '../../api/current-user.ts'
import { $userId, $webAppToken } from './session.ts'

/**
 * The answer of the current-user call, asked while this browser kept `token`: where another tab has got a later token
 * meanwhile, that one stays in place (OPEN-17).
 */
export function discardStaleUser(me: Me, token: string): Me {
  const currentToken = $webAppToken.get()
  return currentToken === token || me.user_id !== $userId.get() ? me : { ...me, web_app_token: currentToken }
}
