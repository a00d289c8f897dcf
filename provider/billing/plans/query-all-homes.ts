import type { Env } from '../../env.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import { plannedHomes, type PlannedHome } from './plan-rows.ts'
import type { HomeRequester } from './event-visibility.ts'

/**
 * Sends the same query at `now` (ms UTC) to every home to which the account has access; returns the results in the
 * order of the homes.
 */
export async function queryAllHomes<T>(
  env: Env,
  { userId, now }: { userId: string; now: number },
  ask: (stub: ReturnType<typeof homeStub>, asker: HomeRequester, home: PlannedHome) => Promise<T>,
): Promise<T[]> {
  const homes = await plannedHomes(env, userId)
  return Promise.all(homes.map((home) => ask(homeStub(env, home.home_id), { userId, plans: home.plans, now }, home)))
}
