import type { Env } from '../../env.ts'
import { homeStub } from '../members/home-stub.ts'
import { readAccountAccess } from '../members/account-access.ts'
import { getObject } from '../../platform/objects.ts'

/**
 * Closes all feed and camera sockets of an account, and invalidates its unused socket tickets. Call this after the write
 * that ends the access: calls can still create tickets until then, so the time of the request would be too early.
 */
export async function closeUserSockets(env: Env, userId: string): Promise<void> {
  const at = Date.now()
  const { homes } = await readAccountAccess(env, userId)
  await Promise.all(
    homes.map(async ({ home_id }) => {
      const cameras = await homeStub(env, home_id).signOut(userId, at)
      await Promise.all(cameras.map((camera) => getObject(env, 'CAMERAS', camera).signOut(userId, at)))
    }),
  )
}
