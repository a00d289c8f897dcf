import { randomBytes } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DISK_ALMOST_FULL_REASON, DISK_FULL_REASON, isDiskFullError } from './disk-limits.ts'
import { warn } from '../runtime/log.ts'

export interface DiskSpaceOptions {
  /** Bytes of the disk reserved for the rest of the system. */
  readonly reserve: number
  /** Check and retry interval while the disk is full or almost full, ms. */
  readonly roomMs: number
}
/** Check interval while there is room, ms. */
const CHECK_INTERVAL_MS = 60_000
const TEST_WRITE_BYTES = 65_536
/** Hysteresis, as a fraction of the reserve: prevents the state from flapping at the limit. */
const RESERVE_MARGIN_RATIO = 0.1

/**
 * `problem`: sentence for the owner; empty while there is room. `isDiskFull`: true if not even small files can be
 * written.
 */
type DiskSpaceListener = (problem: string, isDiskFull: boolean) => void

/** Monitors disk space for recordings, notifies listeners of changes and lets blocked writers retry. */
export class DiskSpaceMonitor {
  readonly #folder: string
  readonly #options: DiskSpaceOptions
  readonly #listeners = new Set<DiskSpaceListener>()
  #reason: string | undefined
  /**
   * Number of writers that a full disk blocks. `pendingRetries` holds a retry function for each writer that has not
   * retried yet.
   */
  #blockedWriters = 0
  #pendingRetries: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(folder: string, options: DiskSpaceOptions) {
    this.#folder = folder
    this.#options = options
  }

  /** Starts monitoring; resolves after the first check. */
  async start(): Promise<void> {
    await this.#runCheck()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#retryAllWriters()
  }

  /**
   * Calls `listener` now and on every change: with a sentence for the owner, or with '' while there is room. Returns
   * an unsubscribe function.
   */
  watch(listener: DiskSpaceListener): () => void {
    this.#listeners.add(listener)
    listener(this.#problemText, this.#reason === DISK_FULL_REASON)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Checks the free space now. Returns the reason for a lack of room, as the end of a sentence; undefined if there is
   * room.
   */
  async check(): Promise<string | undefined> {
    const before = this.#reason
    const reason = await this.#findReason()
    // Writes are more reliable than this check. So ignore the check if a write changed the reason meanwhile, or if the
    // check reports room while writers are blocked.
    if (this.#reason === before && (reason !== undefined || this.#blockedWriters === 0)) this.#setReason(reason)
    return reason
  }

  reportDiskFull(): void {
    this.#setReason(DISK_FULL_REASON)
  }

  /**
   * Runs `work`. If the disk is full, retries `work` when there is room. Throws all other errors and, after `stop`,
   * every error.
   */
  async runWithDiskSpace<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isDiskFullError(error) || this.#isStopped) throw error
      return this.#retryUntilDiskSpace(work)
    }
  }

  async #retryUntilDiskSpace<T>(work: () => Promise<T>): Promise<T> {
    this.#blockedWriters++
    try {
      for (;;) {
        this.reportDiskFull()
        await new Promise<void>((resolve) => this.#pendingRetries.push(resolve))
        try {
          return await work()
        } catch (error) {
          if (!isDiskFullError(error) || this.#isStopped) throw error
        }
      }
    } finally {
      if (--this.#blockedWriters === 0) void this.#runCheck()
      this.#retryAllWriters()
    }
  }

  get #problemText(): string {
    return this.#reason === undefined ? '' : `Recording paused: ${this.#reason}`
  }

  #setReason(reason: string | undefined): void {
    const before = this.#reason
    this.#reason = reason
    if (this.#isStopped || before === reason) return
    warn(this.#problemText || 'Disk space is available again. Recording has resumed.')
    for (const listener of this.#listeners) listener(this.#problemText, this.#reason === DISK_FULL_REASON)
    this.#scheduleCheck()
  }

  #scheduleCheck(): void {
    clearTimeout(this.#timer)
    const delayMs = this.#reason === undefined ? CHECK_INTERVAL_MS : this.#options.roomMs
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#runCheck(), delayMs).unref()
  }

  /**
   * Lets the writer that has waited longest retry without checking the free space first, because a small file may fit
   * even if a clip does not. Checks the free space only if no writer is blocked.
   */
  async #runCheck(): Promise<void> {
    if (this.#blockedWriters > 0) this.#pendingRetries.shift()?.()
    else await this.check()
    this.#scheduleCheck()
  }

  #retryAllWriters(): void {
    for (const tryAgain of this.#pendingRetries.splice(0)) tryAgain()
  }

  async #findReason(): Promise<string | undefined> {
    try {
      const { bavail, bsize } = await statfs(this.#folder)
      const { reserve } = this.#options
      const margin = this.#reason === undefined ? 0 : reserve * RESERVE_MARGIN_RATIO
      // Keep the current reason until the free space exceeds reserve plus margin. A small file may fit earlier, but
      // does not prove that there is room.
      if (bavail * bsize < reserve + margin) return this.#reason ?? DISK_ALMOST_FULL_REASON
      // The free space does not reflect a disk quota, so try a write.
      if (this.#reason === DISK_FULL_REASON) await this.#tryWriting(Math.max(TEST_WRITE_BYTES, margin))
      return undefined
    } catch (error) {
      return isDiskFullError(error) ? DISK_FULL_REASON : undefined
    }
  }

  async #tryWriting(bytes: number): Promise<void> {
    const path = join(this.#folder, `${process.pid}.tmp`)
    try {
      await writeFile(path, randomBytes(Math.round(bytes)), { flush: true })
    } finally {
      await rm(path, { force: true })
    }
  }
}
