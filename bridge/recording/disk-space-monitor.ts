import { randomBytes } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ALMOST_FULL, DISK_FULL, isFull } from './disk-limits.ts'
import { warn } from '../runtime/log.ts'

export interface RoomOptions {
  /** Bytes of the disk reserved for the rest of the system. */
  readonly reserve: number
  /** Retry interval for a full disk, ms. */
  readonly roomMs: number
}
/** Check interval while there is room, ms. */
const LOOK_MS = 60_000
const TRIED_BYTES = 65_536
/** Hysteresis, as a fraction of the reserve: prevents the state from flapping at the limit. */
const MARGIN = 0.1

/** Receives a sentence for the owner, empty while there is room; `nothing`: not even small files can be written. */
type OnTrouble = (trouble: string, nothing: boolean) => void

/** Monitors disk space for recordings: notifies of changes and lets waiting writers retry. */
export class DiskSpaceMonitor {
  private readonly folder: string
  private readonly options: RoomOptions
  private readonly listeners = new Set<OnTrouble>()
  private why: string | undefined
  /**
   * Number of writers that are blocked by a lack of disk space. `waiting` holds the retry functions of those that have
   * not retried yet.
   */
  private outstanding = 0
  private waiting: (() => void)[] = []
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(folder: string, options: RoomOptions) {
    this.folder = folder
    this.options = options
  }

  /** Starts monitoring; resolves after the first check. */
  async start(): Promise<void> {
    await this.runCheck()
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
    this.letAllTry()
  }

  /**
   * Calls `onTrouble` now and on every change, with a sentence for the owner or '' while there is room. Returns an
   * unsubscribe function.
   */
  watch(onTrouble: OnTrouble): () => void {
    this.listeners.add(onTrouble)
    onTrouble(this.trouble, this.why === DISK_FULL)
    return () => this.listeners.delete(onTrouble)
  }

  /** Checks now. Returns the reason for the lack of room, as the rest of a sentence; undefined if there is room. */
  async check(): Promise<string | undefined> {
    const before = this.why
    const why = await this.whyNone()
    // A write that failed in the meantime is more reliable than this check.
    if (this.why === before && (why !== undefined || this.outstanding === 0)) this.know(why)
    return why
  }

  lacking(): void {
    this.know(DISK_FULL)
  }

  /** Runs `work`, and retries it when there is room. Throws its other errors, and every error after `stop`. */
  async whenRoom<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isFull(error) || this.stopped) throw error
      return this.wait(work)
    }
  }

  private async wait<T>(work: () => Promise<T>): Promise<T> {
    this.outstanding++
    try {
      for (;;) {
        this.lacking()
        await new Promise<void>((resolve) => this.waiting.push(resolve))
        try {
          return await work()
        } catch (error) {
          if (!isFull(error) || this.stopped) throw error
        }
      }
    } finally {
      if (--this.outstanding === 0) void this.runCheck()
      this.letAllTry()
    }
  }

  private get trouble(): string {
    return this.why === undefined ? '' : `Recording pauses: ${this.why}`
  }

  private know(why: string | undefined): void {
    const before = this.why
    this.why = why
    if (this.stopped || before === why) return
    warn(this.trouble || 'There is room on the disk again; recording resumes.')
    for (const listener of this.listeners) listener(this.trouble, this.why === DISK_FULL)
    this.scheduleCheck()
  }

  private scheduleCheck(): void {
    clearTimeout(this.timer)
    const wait = this.why === undefined ? LOOK_MS : this.options.roomMs
    if (!this.stopped) this.timer = setTimeout(() => void this.runCheck(), wait).unref()
  }

  /**
   * Lets the writer that has waited longest retry, as a test for room: a small file may fit when a clip does not.
   * Without such a writer, checks the disk.
   */
  private async runCheck(): Promise<void> {
    if (this.outstanding > 0) this.waiting.shift()?.()
    else await this.check()
    this.scheduleCheck()
  }

  private letAllTry(): void {
    for (const tryAgain of this.waiting.splice(0)) tryAgain()
  }

  private async whyNone(): Promise<string | undefined> {
    try {
      const { bavail, bsize } = await statfs(this.folder)
      const { reserve } = this.options
      const margin = this.why === undefined ? 0 : reserve * MARGIN
      // Keep the current reason until the free space exceeds the reserve and margin: small files that fit in between
      // prove nothing.
      if (bavail * bsize < reserve + margin) return this.why ?? ALMOST_FULL
      // A disk quota has an effect only on writes, so try one.
      if (this.why === DISK_FULL) await this.tryWriting(Math.max(TRIED_BYTES, margin))
      return undefined
    } catch (error) {
      return isFull(error) ? DISK_FULL : undefined
    }
  }

  private async tryWriting(bytes: number): Promise<void> {
    const path = join(this.folder, `${process.pid}.tmp`)
    try {
      await writeFile(path, randomBytes(Math.round(bytes)), { flush: true })
    } finally {
      await rm(path, { force: true })
    }
  }
}
