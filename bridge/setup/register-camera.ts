import { addCamera, readCameras, type RtspCamera } from '../cameras/camera-file.ts'

/** Cameras of one bridge, as many as a provider takes. */
const CAMERAS_MAX = 64
const FULL = `A box has ${CAMERAS_MAX} cameras at most. Remove one, or start another box.`
const NOT_TAKEN = 'The camera is in the list of the box, but could not be shown. Start the box again.'

export interface Admission {
  readonly data: string
  /** The homes that the bridge serves, its first in front. */
  readonly homes: () => readonly { readonly home_id: string }[]
  /** Begins with a camera, in place of what was there under its id. */
  readonly open: (camera: RtspCamera) => void
  /** Makes it known to the provider; answers the id under which it was taken, which may be another one, if it was. */
  readonly register: (deviceId: string) => Promise<string | undefined>
}

export interface Admitted {
  readonly url: string
  readonly name: string
  readonly home: string
}

/** Keeps a camera as `add-camera` does and shows it at once; answers its id. Throws an Error whose message its owner reads. */
export async function activateCamera({ data, homes, open, register }: Admission, camera: Admitted): Promise<string> {
  const { cameras } = await readCameras(data)
  if (cameras.length >= CAMERAS_MAX) throw new Error(FULL)
  const entry = await addCamera(data, { ...camera, firstHome: homes()[0]?.home_id ?? camera.home })
  open(entry)
  const registeredId = await register(entry.device_id)
  if (registeredId === undefined) throw new Error(NOT_TAKEN)
  return registeredId
}
