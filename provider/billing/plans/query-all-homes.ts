import type { Env } from '../../env.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import { listHomesWithPlans, type HomeWithPlans } from './plan-rows.ts'
import type { HomeRequester } from './event-visibility.ts'

/**
 * Queries every home to which the account has access. Returns the results in the order of `listHomesWithPlans`. Fails
 * if one query fails. `now`: ms UTC.
 */
export async function queryAllHomes<T>(
  env: Env,
  access: AccountAccess,
  now: number,
  queryHome: (stub: ReturnType<typeof homeStub>, requester: HomeRequester, home: HomeWithPlans) => Promise<T>,
): Promise<T[]> {
  const { userId } = access
  return Promise.all(
    listHomesWithPlans(env, access).map((home) =>
      queryHome(homeStub(env, home.home_id), { userId, plans: home.plans, now }, home),
    ),
  )
}
