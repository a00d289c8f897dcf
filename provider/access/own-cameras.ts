import { OWNER } from '../../contract/roles.ts'

/** SQL of the cameras of the homes that an account owns; `account`: its parameter. */
export const ownCamerasOf = (account: `?${number}`): string =>
  `SELECT device_id FROM devices JOIN home_members USING (home_id) WHERE user_id = ${account} AND role = ${OWNER}`

/** SQL, for a row of `bindings`: whether the licence is of somebody who owns the camera's home. */
export const IS_OWNERS_LICENCE = `EXISTS (
  SELECT 1 FROM devices JOIN home_members AS own USING (home_id) JOIN subscriptions USING (user_id)
  WHERE devices.device_id = bindings.device_id AND subscription_id = bindings.subscription_id AND own.role = ${OWNER})`
