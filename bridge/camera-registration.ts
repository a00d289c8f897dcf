import type { OwnerSettingsStore } from './cameras/owner-settings.ts'
import type { CameraController } from './cameras/camera.ts'
import { assignNewDeviceId, type RtspCamera } from './cameras/camera-file.ts'
import type { KnownCameras } from './cameras/provider-cameras.ts'
import { Backoff } from './runtime/backoff.ts'
import { getErrorMessage, log, warn } from './runtime/log.ts'
import { type ProviderClient, ProviderError } from './uplink/provider-client.ts'

/** Result of a registration. `superseded`: a newer welcome message registers the camera again. */
type RegistrationResult = 'registered' | 'removed' | 'rejected' | 'id_taken' | 'failed' | 'superseded'

/** Results by HTTP status, for rejections that a retry cannot change. */
const RESULT_BY_STATUS: Readonly<Record<number, RegistrationResult>> = {
  403: 'rejected',
  409: 'id_taken',
  410: 'removed',
}

/**
 * Registers a camera and sends its state. Uses the name that the provider already has for the camera, otherwise the
 * name in `camera.registration`. Retries temporary failures while `isCurrent` returns true.
 */
export async function registerCamera(
  client: ProviderClient,
  camera: CameraController,
  registered: KnownCameras,
  isCurrent: () => boolean,
): Promise<RegistrationResult> {
  const nickname = registered.get(camera.deviceId)?.camera.nickname || camera.registration.nickname
  // A camera that the provider already knows can be watched before its registration is renewed.
  if (registered.has(camera.deviceId)) camera.announce()
  const backOff = new Backoff(500, 30_000)
  while (isCurrent()) {
    try {
      await client.registerCamera(camera.deviceId, { ...camera.registration, nickname })
      camera.announce()
      return 'registered'
    } catch (error) {
      const finalResult = error instanceof ProviderError ? RESULT_BY_STATUS[error.status] : undefined
      if (finalResult) return finalResult
      log(`${nickname} couldn't be registered: ${getErrorMessage(error)}`)
      if (error instanceof ProviderError && !error.isTemporary) return 'failed'
      await new Promise((resolve) => setTimeout(resolve, backOff.next()))
    }
  }
  return 'superseded'
}

/**
 * Gives a camera a new id because another camera has its id, and moves its owner settings to the new id. Returns the
 * stored camera; undefined if the camera is no longer in the list or the list could not be written.
 */
export async function renewDeviceId(
  data: string,
  ownerSettings: OwnerSettingsStore,
  { deviceId, registration }: CameraController,
): Promise<RtspCamera | undefined> {
  const logFailure = (error: unknown) =>
    log(`Couldn't finish changing the ID of ${registration.nickname}: ${getErrorMessage(error)}`)
  const entry = await assignNewDeviceId(data, deviceId).catch(logFailure)
  if (!entry) return undefined
  await ownerSettings.move(deviceId, entry.device_id).catch(logFailure)
  warn(`${entry.name} has a new ID because its previous ID isn't available. The portal lists the camera as new.`)
  return entry
}
