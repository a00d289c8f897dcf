import {
  CAMERA_AREAS,
  type CameraArea,
  getCameraAreas,
  setCameraAreas,
} from '../../../contract/cameras/camera-areas.ts'
import { request } from '../../api/api-client.ts'
import { runUserAction, type Failure, ignoreNotFound, type Outcome, withFailureShown } from '../shell/report-failure.ts'

/**
 * Loads the areas that the owner has set for a camera. Omits areas that this version does not know. The data is null if
 * the provider returns a 404 because it does not store areas.
 */
export async function loadCameraAreas(device_id: string): Promise<Outcome<CameraArea[] | null>> {
  const response = await withFailureShown('place', ignoreNotFound(request(getCameraAreas, { device_id })))
  if (!response.ok) return response
  const areas = response.data?.places
  return { ok: true, data: areas ? CAMERA_AREAS.filter((place) => areas.includes(place)) : null }
}

/** Saves the camera areas. A failure leaves the stored areas unchanged. */
export const saveCameraAreas = (device_id: string, areas: CameraArea[]): Promise<Failure | null> =>
  runUserAction(request(setCameraAreas, { device_id, places: areas }))
