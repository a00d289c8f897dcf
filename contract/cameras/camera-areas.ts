import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, text } from '../wire/envelope.ts'

/** Camera areas of a house. Homes store the ids, so an id is never renamed. */
export const CAMERA_PLACES = ['outside', 'inside', 'front', 'back', 'upstairs', 'downstairs'] as const
export type CameraPlace = (typeof CAMERA_PLACES)[number]

const areOnce = (all: unknown): boolean => new Set(all as CameraPlace[]).size === (all as CameraPlace[]).length

const chosen = v.pipe(
  v.array(v.picklist(CAMERA_PLACES)),
  v.maxLength(CAMERA_PLACES.length),
  v.custom<CameraPlace[]>(areOnce, 'A place is named twice.'),
)

/**
 * Returns the camera areas that the owner set. Empty: search uses the camera's name instead. Errors for non-owners: as
 * in contract/cameras/owner-calls.ts.
 */
export const getCameraPlaces = call('EXT-camera-places', 'GET', '/extension/camera-places', 'extension', {
  request: v.object({ device_id: deviceId }),
  /** Plain text: a later version may add areas. */
  response: envelope(200, v.object({ places: v.array(text(40)) })),
})

/**
 * Replaces all areas; search then uses them instead of the camera's name. With an empty list, search uses the name
 * again.
 */
export const setCameraPlaces = call(
  'EXT-set-camera-places',
  'POST',
  '/extension/camera-places',
  'extension',
  { request: v.object({ device_id: deviceId, places: chosen }), response: envelope(200, v.object({})) },
  { nonce: true },
)
