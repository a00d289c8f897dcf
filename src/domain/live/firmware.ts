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

/**
 * Compares dotted versions numerically and returns 1, 0 or -1. Returns -1 if a version is missing (CONST-18). Missing
 * or non-numeric parts count as 0 (OPEN-116).
 */
export function compareVersions(version: string | null | undefined, other: string | null | undefined): -1 | 0 | 1 {
  if (!version || !other) return -1
  const [left, right] = [parseVersion(version), parseVersion(other)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference > 0 ? 1 : -1
  }
  return 0
}

function parseVersion(version: string): number[] {
  return version.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : 0))
}
