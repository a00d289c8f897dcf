import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, text } from '../wire/envelope.ts'

/** Ids of camera areas. Never rename an id, because homes store it. */
export const CAMERA_AREAS = ['outside', 'inside', 'front', 'back', 'upstairs', 'downstairs'] as const
export type CameraArea = (typeof CAMERA_AREAS)[number]

const areUnique = (all: unknown): boolean => new Set(all as CameraArea[]).size === (all as CameraArea[]).length

const cameraAreasSchema = v.pipe(
  v.array(v.picklist(CAMERA_AREAS)),
  v.maxLength(CAMERA_AREAS.length),
  v.custom<CameraArea[]>(areUnique, 'Each location can appear only once.'),
)

/**
 * Returns the camera areas that the owner set. If the list is empty, search uses the camera's name. Errors for
 * non-owners: see contract/cameras/owner-calls.ts.
 */
export const getCameraAreas = call('EXT-camera-places', 'GET', '/extension/camera-places', 'extension', {
  request: v.object({ device_id: deviceId }),
  /** Area ids as text instead of an enum, because a later version may add areas. */
  response: envelope(200, v.object({ places: v.array(text(40)) })),
})

/** Replaces all areas of a camera. Search uses the areas or, if the list is empty, the camera's name. */
export const setCameraAreas = call(
  'EXT-set-camera-places',
  'POST',
  '/extension/camera-places',
  'extension',
  { request: v.object({ device_id: deviceId, places: cameraAreasSchema }), response: envelope(200, v.object({})) },
  { nonce: true },
)
