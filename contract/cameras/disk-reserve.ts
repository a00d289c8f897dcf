import { GIGABYTE } from './storage-calls.ts'

const RESERVE_MIN_BYTES = 10 * GIGABYTE
const RESERVE_RATIO = 0.1

/**
 * Stored bytes that a full disk never deletes. Otherwise, another program that fills the disk would delete every clip.
 * The hub stops recording before the disk is full.
 */
export const DISK_LIMIT_MIN_BYTES = 2 * GIGABYTE

/** Returns the bytes that clips leave free for the computer at home: a tenth of its disk, at least 10 GB. */
export const getDiskReserveBytes = (diskBytes: number): number =>
  Math.max(RESERVE_MIN_BYTES, Math.round(diskBytes * RESERVE_RATIO))
