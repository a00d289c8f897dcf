import {
  CAMERA_PLACES,
  type CameraPlace,
  getCameraPlaces,
  setCameraPlaces,
} from '../../../contract/cameras/camera-areas.ts'
import { request } from '../../api/api-client.ts'
import { runUserAction, type Failure, ignoreNotFound, type Outcome, withFailureShown } from '../shell/report-failure.ts'

/**
 * Loads the camera areas set by the owner, without areas unknown to this page's version; null if the provider does not
 * store areas.
 */
export async function loadCameraAreas(device_id: string): Promise<Outcome<CameraPlace[] | null>> {
  const answer = await withFailureShown('place', ignoreNotFound(request(getCameraPlaces, { device_id })))
  if (!answer.ok) return answer
  const places = answer.data?.places
  return { ok: true, data: places ? CAMERA_PLACES.filter((place) => places.includes(place)) : null }
}

/** Saves the camera areas. After a failure, the stored areas are unchanged. */
export const savePlaces = (device_id: string, places: CameraPlace[]): Promise<Failure | null> =>
  runUserAction(request(setCameraPlaces, { device_id, places }))
