import type { cameraStates } from '../../../contract/events/timeline.ts'
import type { InferOutput } from 'valibot'
import type { Env } from '../../env.ts'
import { badRequest } from '../../platform/api-error.ts'
import type { AccountAccess } from '../members/account-access.ts'
import { homeStub } from '../members/home-stub.ts'
import { requireCameraAccess } from '../members/camera-access.ts'

/** Returns the camera's state history in a range, up to now. Throws 404 if the account may not see the camera. */
export async function handleCameraStates(
  env: Env,
  access: AccountAccess,
  input: InferOutput<typeof cameraStates.request>,
  now: number,
) {
  const { device_id, begin_time, end_time } = input
  if (end_time < begin_time) throw badRequest('The end is before the start.')
  const camera = requireCameraAccess(access, device_id)
  return { runs: await homeStub(env, camera.home_id).stateRuns(device_id, begin_time, Math.min(end_time, now)) }
}
