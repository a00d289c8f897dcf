import { addCamera, readCameras, type RtspCamera } from '../cameras/camera-file.ts'

/** Maximum number of cameras per bridge; the provider applies the same limit. */
const CAMERAS_MAX = 64
const TOO_MANY_CAMERAS_TEXT = `A hub supports ${CAMERAS_MAX} cameras. Remove one, or set up another hub.`
const NOT_REGISTERED_TEXT = 'The hub saved the camera but can’t show it. Restart the hub.'

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

export interface CheckedCamera {
  readonly url: string
  readonly sub?: string | undefined
  readonly name: string
  readonly home: string
}

/**
 * Stores a camera in `DATA/cameras.json`, starts and registers it. Returns its id. Throws an Error whose message the
 * owner sees.
 */
export async function activateCamera(
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
