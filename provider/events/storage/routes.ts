import type { Hono } from 'hono'
import { getStorage, setStorageLimits, type HomeStorage } from '../../../contract/cameras/storage-calls.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { recordHomeActivity } from '../../accounts/activity/record-activity.ts'
import { listHomesWithPlans } from '../../billing/plans/plan-rows.ts'
import type { AppEnv, Env } from '../../env.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { requireCameraOwner } from '../../homes/members/camera-access.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import { serveCallWithAccess } from '../../platform/http/serve-call.ts'
import { readStorageLimit } from './storage-limit.ts'

export function storageRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, getStorage, async ({ env, access, now }) => ({
    homes: await listHomeStorage(env, access, now),
  }))
  serveCallWithAccess(app, setStorageLimits, async ({ env, access, input, now }) => {
    const { device_id, preview, ...limits } = input
    const { home_id } = requireCameraOwner(access, device_id)
    const home = homeStub(env, home_id)
    const deletion = await home.previewStorageLimits(device_id, limits, now)
    if (preview || !(await home.setStorageLimits(device_id, limits, now))) return deletion
    const activity = { kind: 'camera-settings', who: access.userId, camera: device_id, value: 'storage' } as const
    recordHomeActivity(env, home_id, activity, now)
    return deletion
  })
}

/** Returns the storage of each home that the account owns. */
async function listHomeStorage(env: Env, access: AccountAccess, now: number): Promise<HomeStorage[]> {
  const own = listHomesWithPlans(env, access).filter(({ role }) => role === OWNER_ROLE)
  const limit = await readStorageLimit(env)
  return Promise.all(
    own.map(async ({ home_id, plans }) => ({
      home_id,
      ...(await homeStub(env, home_id).readStorage(plans, limit, now)),
    })),
  )
}
