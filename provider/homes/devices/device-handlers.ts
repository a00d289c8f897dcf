import type { WireDevice } from '../../../contract/cameras/devices.ts'
import type { Env } from '../../env.ts'
import { forbidden } from '../../platform/api-error.ts'
import type { AccountAccess } from '../members/account-access.ts'
import { homeStub } from '../members/home-stub.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { listHomesWithPlans, type HomeWithPlans } from '../../billing/plans/plan-rows.ts'

/**
 * Default sort order of the list: ascending (`sort_direction` 0) by `device_order` (`sort_type` 0) (DEVICE-14,
 * DEVICE-15).
 */
const DEFAULT_SORT = { sort_type: 0, sort_direction: 0 }

/**
 * Lists the cameras of a home; for an own home, also the cameras that other homes share with the account. Without
 * `homeId`, lists the cameras of all visible homes (OPEN-55). Throws 403 if the account is neither owner nor member of
 * the home.
 */
export async function handleDeviceList(env: Env, access: AccountAccess, homeId: string | undefined, now: number) {
  const { userId } = access
  const homes = listHomesWithPlans(env, access)
  const home = homes.find(({ home_id, role }) => home_id === homeId && role !== null)
  if (homeId !== undefined && !home) throw forbidden()
  const isRequested = ({ home_id, role }: HomeWithPlans) =>
    homeId === undefined || home_id === homeId || (role === null && home?.role === OWNER_ROLE)
  const lists = await Promise.all(
    homes.filter(isRequested).map(({ home_id, plans }) => homeStub(env, home_id).devices({ userId, plans, now })),
  )
  const device_list: WireDevice[] = lists.flat()
  return { device_list, ...DEFAULT_SORT }
}
