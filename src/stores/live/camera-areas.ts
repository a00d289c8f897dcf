import {
  CAMERA_PLACES,
  type CameraPlace,
  getCameraPlaces,
  setCameraPlaces,
} from '../../../contract/cameras/camera-areas.ts'
import { request } from '../../api/api-client.ts'
import { runUserAction, type Failure, ignoreNotFound, type Outcome, withFailureShown } from '../shell/report-failure.ts'

/** Where the owner says that a camera looks, as far as this page knows the places; null from a provider that does not keep it. */
export async function loadPlaces(device_id: string): Promise<Outcome<CameraPlace[] | null>> {
  const answer = await withFailureShown('place', ignoreNotFound(request(getCameraPlaces, { device_id })))
  if (!answer.ok) return answer
  const places = answer.data?.places
  return { ok: true, data: places ? CAMERA_PLACES.filter((place) => places.includes(place)) : null }
}

/** After a failure nothing has changed. */
export const savePlaces = (device_id: string, places: CameraPlace[]): Promise<Failure | null> =>
  runUserAction(request(setCameraPlaces, { device_id, places }))
