import type { WireDevice } from '../../../contract/cameras/devices.ts'
import type { Env } from '../../env.ts'
import { forbidden } from '../../platform/api-error.ts'
import { homeStub } from '../members/home-stub.ts'
import { OWNER } from '../../../contract/auth/roles.ts'
import { plannedHomes, type PlannedHome } from '../../billing/plans/plan-rows.ts'

/** `sort_type` 0 sorts by `device_order`, `sort_direction` 0 ascending (DEVICE-14, DEVICE-15). */
const BY_ORDER = { sort_type: 0, sort_direction: 0 }

/**
 * Lists the cameras of one home; for the account's own home, also the cameras that other homes share with the account.
 * Without `homeId`, lists the cameras of every home with a visible camera (OPEN-55). Throws 403 if the account is not a
 * member of the home.
 */
export async function answerDevices(env: Env, userId: string, homeId: string | undefined, now: number) {
  const seen = await plannedHomes(env, userId)
  const home = seen.find(({ home_id, role }) => home_id === homeId && role !== null)
  if (homeId !== undefined && !home) throw forbidden()
  const isAsked = ({ home_id, role }: PlannedHome) =>
    homeId === undefined || home_id === homeId || (role === null && home?.role === OWNER)
  const lists = await Promise.all(
    seen.filter(isAsked).map(({ home_id, plans }) => homeStub(env, home_id).devices({ userId, plans, now })),
  )
  const device_list: WireDevice[] = lists.flat()
  return { device_list, ...BY_ORDER }
}
