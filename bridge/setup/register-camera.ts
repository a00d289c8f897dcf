import type { CameraSetupParts } from './camera-setup.ts'
import {
  addCamera,
  changeCameraStreams,
  NOT_STORED_TEXT,
  readCameras,
  type RtspCamera,
} from '../cameras/camera-file.ts'

/** Maximum number of cameras per bridge; the provider applies the same limit. */
const CAMERAS_MAX = 64
const TOO_MANY_CAMERAS_TEXT = `A hub supports up to ${CAMERAS_MAX} cameras. Remove a camera, or set up another hub.`
const NOT_REGISTERED_TEXT = 'The hub saved the camera but couldn’t add it to your home. Restart the hub to try again.'

export interface ActivationContext {
  readonly data: string
  readonly homes: () => readonly { readonly home_id: string }[]
  /** Starts a camera, and replaces a running camera with the same id. */
  readonly open: (camera: RtspCamera) => void
  /**
   * Registers the camera. Returns the id that the provider accepted, which may differ from `deviceId`; undefined if the
   * registration failed.
   */
  readonly register: (deviceId: string) => Promise<string | undefined>
}

interface CheckedCamera {
  readonly url: string
  readonly sub?: string | undefined
  readonly name: string
  readonly home: string
}

/**
 * Stores a camera in `DATA/cameras.json`, starts and registers it. Returns its id. Throws an Error whose message the
 * owner sees.
 */
async function activateCamera(
  { data, homes, open, register }: ActivationContext,
  camera: CheckedCamera,
): Promise<string> {
  const { cameras } = await readCameras(data)
  if (cameras.length >= CAMERAS_MAX) throw new Error(TOO_MANY_CAMERAS_TEXT)
  const entry = await addCamera(data, { ...camera, firstHome: homes()[0]?.home_id ?? camera.home })
  open(entry)
  const registeredId = await register(entry.device_id)
  if (registeredId === undefined) throw new Error(NOT_REGISTERED_TEXT)
  return registeredId
}

/** Returns a stored camera of this home. Throws an Error for the owner if the home has no such camera. */
async function findStoredCamera(
  { data, homes }: Pick<ActivationContext, 'data' | 'homes'>,
  deviceId: string,
  home: string,
): Promise<RtspCamera> {
  const camera = (await readCameras(data)).cameras.find((entry) => entry.device_id === deviceId)
  if (!camera || (camera.home ?? homes()[0]?.home_id) !== home) throw new Error(NOT_STORED_TEXT)
  return camera
}

/** Stores new addresses of a camera, starts it again and registers its new streams. */
async function changeStreams(
  { data, open, register }: ActivationContext,
  deviceId: string,
  streams: { readonly url: string; readonly sub: string },
): Promise<RtspCamera> {
  const entry = await changeCameraStreams(data, deviceId, streams)
  open(entry)
  await register(deviceId)
  return entry
}

/** Returns the actions on cameras that sealed requests of a page start. */
export const createSetupActions = (context: ActivationContext): Pick<CameraSetupParts, 'add' | 'find' | 'change'> => ({
  add: (camera) => activateCamera(context, camera),
  find: (deviceId, home) => findStoredCamera(context, deviceId, home),
  change: (deviceId, streams) => changeStreams(context, deviceId, streams),
})
