import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'

/** Returns SQL for the cameras in homes that an account owns. `account`: SQL parameter with the user id. */
export const ownedCamerasSql = (account: `?${number}`): string =>
  `SELECT device_id FROM devices JOIN home_members USING (home_id) WHERE user_id = ${account} AND role = ${OWNER_ROLE}`

/** SQL condition for a row of `bindings`: true if the license belongs to an owner of the camera's home. */
export const IS_OWNER_LICENSE_SQL = `EXISTS (
  SELECT 1 FROM devices JOIN home_members AS own USING (home_id) JOIN subscriptions USING (user_id)
  WHERE devices.device_id = bindings.device_id AND subscription_id = bindings.subscription_id AND own.role = ${OWNER_ROLE})`

/** Returns the cameras of the account's own homes, without cameras that a license of another owner covers. */
export async function listAssignableCameras(env: Env, userId: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `${ownedCamerasSql('?1')} AND device_id NOT IN (
       SELECT device_id FROM bindings JOIN subscriptions USING (subscription_id)
       WHERE subscriptions.user_id <> ?1 AND ${IS_OWNER_LICENSE_SQL})`,
  )
    .bind(userId)
    .all<{ device_id: string }>()
  return results.map(({ device_id }) => device_id)
}
