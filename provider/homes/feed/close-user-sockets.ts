import type { Env } from '../../env.ts'
import { homeStub } from '../members/home-stub.ts'
import { listVisibleHomes } from '../members/memberships.ts'

/**
 * Closes all feed and camera sockets of an account, and invalidates its unused socket tickets that were created at or
 * before `at` (ms UTC).
 */
export async function closeUserSockets(env: Env, userId: string, at: number): Promise<void> {
  const homes = await listVisibleHomes(env, userId)
  await Promise.all(
    homes.map(async ({ home_id }) => {
      const cameras = await homeStub(env, home_id).signOut(userId, at)
      await Promise.all(cameras.map((camera) => env.CAMERAS.getByName(camera).signOut(userId, at)))
    }),
  )
}
