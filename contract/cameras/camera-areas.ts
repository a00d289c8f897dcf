import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, text } from '../wire/envelope.ts'

/** Parts of a house that a camera may look at, whatever it is called. An id is never renamed: homes keep it. */
export const CAMERA_PLACES = ['outside', 'inside', 'front', 'back', 'upstairs', 'downstairs'] as const
export type CameraPlace = (typeof CAMERA_PLACES)[number]

const areOnce = (all: unknown): boolean => new Set(all as CameraPlace[]).size === (all as CameraPlace[]).length

const chosen = v.pipe(
  v.array(v.picklist(CAMERA_PLACES)),
  v.maxLength(CAMERA_PLACES.length),
  v.custom<CameraPlace[]>(areOnce, 'A place is named twice.'),
)

/** Where the owner says that the camera looks; none: its name says it. Who does not own it is refused as by the calls of contract/cameras/owner-calls.ts. */
export const getCameraPlaces = call('EXT-camera-places', 'GET', '/extension/camera-places', 'extension', {
  request: v.object({ device_id: deviceId }),
  /** A later version may know more of them. */
  response: envelope(200, v.object({ places: v.array(text(40)) })),
})

/** Replaces all of them: the search finds the camera by these and no longer by what its name says; by none, its name counts again. */
export const setCameraPlaces = call(
  'EXT-set-camera-places',
  'POST',
  '/extension/camera-places',
  'extension',
  { request: v.object({ device_id: deviceId, places: chosen }), response: envelope(200, v.object({})) },
  { nonce: true },
)
