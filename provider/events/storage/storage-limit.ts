import * as v from 'valibot'
import { DISK_LIMIT_MIN_BYTES, getDiskReserveBytes } from '../../../contract/cameras/disk-reserve.ts'
import { diskSpace } from '../../../contract/cameras/storage-calls.ts'
import { readText } from '../../../contract/wire/body-limits.ts'
import type { Env } from '../../env.ts'

/** Limit for all stored objects together: a fixed size, or all of a disk except its reserve. */
export type StorageLimit =
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'disk'; readonly freeBytes: number; readonly reserveBytes: number }

const DISK_RESPONSE_MAX_BYTES = 1000

/**
 * Returns the current limit; null for none. `MEDIA_CAP_BYTES` takes precedence over the disk, and 0 means no limit. If
 * the disk cannot be measured, there is no limit until the next call.
 */
export async function readStorageLimit(env: Env): Promise<StorageLimit | null> {
  if (env.MEDIA_CAP_BYTES !== undefined && env.MEDIA_CAP_BYTES !== '') {
    const bytes = Number(env.MEDIA_CAP_BYTES)
    return bytes > 0 ? { kind: 'bytes', bytes } : null
  }
  if (!env.DISK) return null
  const response = (await env.DISK.fetch('http://disk/')) as unknown as Response
  const text = await readText(response, DISK_RESPONSE_MAX_BYTES)
  if (!response.ok) {
    console.error(`The free disk space couldn’t be measured: ${text}`)
    return null
  }
  const space = v.parse(diskSpace, JSON.parse(text))
  return { kind: 'disk', freeBytes: space.free_bytes, reserveBytes: getDiskReserveBytes(space.total_bytes) }
}

/** Returns the bytes that stored objects may use if they use `storedBytes` now. */
export function getLimitBytes(limit: StorageLimit, storedBytes: number): number {
  if (limit.kind === 'bytes') return limit.bytes
  return Math.max(DISK_LIMIT_MIN_BYTES, storedBytes + limit.freeBytes - limit.reserveBytes)
}

/** Returns true if the limit cannot be exceeded, without reading the stored objects. */
export const hasRoom = (limit: StorageLimit): boolean => limit.kind === 'disk' && limit.freeBytes >= limit.reserveBytes
