import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'
import type { TrialAnswer } from '../bridge/motion-preview-result.ts'
import type { Env } from '../env.ts'
import { requireCameraOwner } from '../homes/members/camera-access.ts'

/**
 * Returns what new motion settings would have detected in the last hour, as the bridge reports it. Throws 403 if the
 * account only sees the camera, 404 for other accounts.
 */
export async function answerTrial(
  env: Env,
  userId: string,
  deviceId: string,
  settings: CameraSettings,
): Promise<TrialAnswer> {
  const place = await requireCameraOwner(env, userId, deviceId)
  return await env.BRIDGES.getByName(place.bridge_id).tryMotion(deviceId, settings)
}
