import { compareVersions } from './version.ts'

interface CameraFirmware {
  readonly device_id: string
  readonly device_model: string
  readonly nickname: string
  readonly firmware_version: string
}

/**
 * Returns the camera of the same model with the newest firmware, if that firmware is newer than this camera's
 * (OPEN-136); null if there is none or this camera's version is unknown.
 */
export function findNewerFirmware<T extends CameraFirmware>(camera: CameraFirmware, all: readonly T[]): T | null {
  if (!camera.firmware_version) return null
  const sameModel = all.filter((other) => other.device_model === camera.device_model && other.firmware_version)
  const [newest] = sameModel.toSorted((a, b) => compareVersions(b.firmware_version, a.firmware_version))
  return newest && compareVersions(newest.firmware_version, camera.firmware_version) === 1 ? newest : null
}
