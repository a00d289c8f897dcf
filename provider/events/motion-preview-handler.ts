import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'
import type { MotionPreviewResult } from '../bridge/motion-preview-result.ts'
import type { Env } from '../env.ts'
import { requireCameraOwner } from '../homes/members/camera-access.ts'

/**
 * Returns the bridge's motion preview: the effect of new settings on the last hour. Throws 403 if the account does not
 * own the camera, and 404 if it may not see the camera.
 */
export async function handleMotionPreview(
  env: Env,
  userId: string,
  deviceId: string,
  settings: CameraSettings,
): Promise<MotionPreviewResult> {
  const camera = await requireCameraOwner(env, userId, deviceId)
  return await env.BRIDGES.getByName(camera.bridge_id).tryMotion(deviceId, settings)
}
