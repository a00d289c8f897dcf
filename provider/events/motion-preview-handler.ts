import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'
import type { TrialAnswer } from '../bridge/motion-preview-result.ts'
import type { Env } from '../env.ts'
import { requireCameraOwner } from '../homes/members/camera-access.ts'

/** What settings of a camera would have made of the last hour, told by its bridge. 403 for who only sees the camera, 404 for everybody else. */
export async function answerTrial(
  env: Env,
  userId: string,
  deviceId: string,
  settings: CameraSettings,
): Promise<TrialAnswer> {
  const place = await requireCameraOwner(env, userId, deviceId)
  return await env.BRIDGES.getByName(place.bridge_id).tryMotion(deviceId, settings)
}
