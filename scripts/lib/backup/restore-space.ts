import { DISK_LIMIT_MIN_BYTES, getDiskReserveBytes } from '../../../contract/cameras/disk-reserve.ts'
import { GIGABYTE, type DiskSpace } from '../../../contract/cameras/storage-calls.ts'
import type { Manifest } from './manifest.ts'

const RECORDING = /^(queue|state\/provider\/v3\/r2\/[^/]+\/blobs)\//

/** Size of a backup. Compressed databases grow, so that the estimate can be too low. */
export interface RestoreSize {
  readonly bytes: number
  /** Clips and pictures that a full disk can delete. */
  readonly recordingBytes: number
}

export function measureBackup({ files, recordings }: Pick<Manifest, 'files' | 'recordings'>): RestoreSize {
  const sum = (listed: Manifest['files']) => listed.reduce((bytes, { size }) => bytes + size, 0)
  return { bytes: sum(files), recordingBytes: recordings ? sum(files.filter(({ path }) => RECORDING.test(path))) : 0 }
}

/**
 * Returns the reason why a backup does not fit; null if it fits. Recordings must leave the reserve of the disk free,
 * because the provider would delete them at its next start. `MEDIA_CAP_BYTES` replaces the reserve.
 */
export function explainMissingSpace(
  { free_bytes: free, total_bytes: total }: DiskSpace,
  { bytes, recordingBytes }: RestoreSize,
  data: string,
  { MEDIA_CAP_BYTES }: NodeJS.ProcessEnv,
): string | null {
  if (bytes > free) return formatFullDisk(data)
  const reserve = getDiskReserveBytes(total)
  const missing = reserve - (free - bytes)
  if (MEDIA_CAP_BYTES || missing <= 0 || recordingBytes <= DISK_LIMIT_MIN_BYTES) return null
  return `The disk of ${data} is too full: at its next start, Porchlight would delete restored clips to keep ${formatGigabytes(reserve)} free. Nothing was changed. Free up ${formatGigabytes(missing)}, then try again. Or set MEDIA_CAP_BYTES, which replaces this reserve.`
}

export const formatFullDisk = (data: string): string =>
  `The disk of ${data} is full. Nothing was changed. Free up space, then try again.`

const formatGigabytes = (bytes: number) => `${(Math.ceil(bytes / (GIGABYTE / 10)) / 10).toFixed(1)} GB`
