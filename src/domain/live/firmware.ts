import { compareVersions } from './version.ts'

interface Versioned {
  readonly device_id: string
  readonly device_model: string
  readonly nickname: string
  readonly firmware_version: string
}

/**
 * The camera of the same model that runs the newest firmware, where it is newer than this one's (OPEN-136); null when none
 * is, or a version is not known.
 */
export function newerFirmware<T extends Versioned>(camera: Versioned, all: readonly T[]): T | null {
  if (!camera.firmware_version) return null
  const alike = all.filter((other) => other.device_model === camera.device_model && other.firmware_version)
  const [newest] = alike.toSorted((a, b) => compareVersions(b.firmware_version, a.firmware_version))
  return newest && compareVersions(newest.firmware_version, camera.firmware_version) === 1 ? newest : null
}
