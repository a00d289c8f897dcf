import { OWNER } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'

/** Returns SQL for the cameras in homes that an account owns. `account`: SQL parameter with the user id. */
export const ownedCamerasSql = (account: `?${number}`): string =>
  `SELECT device_id FROM devices JOIN home_members USING (home_id) WHERE user_id = ${account} AND role = ${OWNER}`

/** SQL condition for a row of `bindings`: true if the license belongs to an owner of the camera's home. */
export const IS_OWNERS_LICENSE = `EXISTS (
  SELECT 1 FROM devices JOIN home_members AS own USING (home_id) JOIN subscriptions USING (user_id)
  WHERE devices.device_id = bindings.device_id AND subscription_id = bindings.subscription_id AND own.role = ${OWNER})`

/** Returns cameras of the account's own homes that no other owner's license covers. */
export async function ownCameras(env: Env, userId: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `${ownedCamerasSql('?1')} AND device_id NOT IN (
       SELECT device_id FROM bindings JOIN subscriptions USING (subscription_id)
       WHERE subscriptions.user_id <> ?1 AND ${IS_OWNERS_LICENSE})`,
  )
    .bind(userId)
    .all<{ device_id: string }>()
  return results.map(({ device_id }) => device_id)
}
