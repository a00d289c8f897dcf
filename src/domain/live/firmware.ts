import { compareVersions } from './version.ts'

interface Versioned {
  readonly device_id: string
  readonly device_model: string
  readonly nickname: string
  readonly firmware_version: string
}

/**
 * Returns the camera of the same model with the newest firmware if that is newer than this camera's (OPEN-136); null if
 * there is none or a version is unknown.
 */
export function newerFirmware<T extends Versioned>(camera: Versioned, all: readonly T[]): T | null {
  if (!camera.firmware_version) return null
  const alike = all.filter((other) => other.device_model === camera.device_model && other.firmware_version)
  const [newest] = alike.toSorted((a, b) => compareVersions(b.firmware_version, a.firmware_version))
  return newest && compareVersions(newest.firmware_version, camera.firmware_version) === 1 ? newest : null
}
