import { randomBytes } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ALMOST_FULL, FULL, isFull } from './disk-limits.ts'
import { warn } from '../runtime/log.ts'

export interface RoomOptions {
  /** Bytes of the disk that are left to the rest of the system. */
  readonly reserve: number
  /** How often a full disk is tried again, ms. */
  readonly roomMs: number
}
/** How often one that has room is looked at, ms. */
const LOOK_MS = 60_000
const TRIED_BYTES = 65_536
/** There is room again when so much more than the reserve is free, as a part of it: at its edge the words would change all the time. */
const MARGIN = 0.1

/** A sentence for the owner, empty while there is room; `nothing`: not even small files can be written. */
type OnTrouble = (trouble: string, nothing: boolean) => void

/** Whether the disk has room for recordings: says when that changes, and lets those try again who wait for it. */
export class DiskSpaceMonitor {
  private readonly folder: string
  private readonly options: RoomOptions
  private readonly listeners = new Set<OnTrouble>()
  /** Why there is none, as the rest of a sentence. */
  private why: string | undefined
  /** Whoever found none and is not done yet; those of `waiting` have not been told to try again. */
  private outstanding = 0
  private waiting: (() => void)[] = []
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(folder: string, options: RoomOptions) {
    this.folder = folder
    this.options = options
  }

  /** Looks from now on, and has looked once when it resolves. */
  async start(): Promise<void> {
    await this.runCheck()
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
    this.letAllTry()
  }

  /** Hands over a sentence for the owner, empty while there is room: now and at every change, until the answer is called. */
  watch(onTrouble: OnTrouble): () => void {
    this.listeners.add(onTrouble)
    onTrouble(this.trouble, this.why === FULL)
    return () => this.listeners.delete(onTrouble)
  }

  /** Looks now: why there is none, as the rest of a sentence. */
  async check(): Promise<string | undefined> {
    const before = this.why
    const why = await this.whyNone()
    // A write that has failed meanwhile knows better.
    if (this.why === before && (why !== undefined || this.outstanding === 0)) this.know(why)
    return why
  }

  /** A write has failed for want of room. */
  lacking(): void {
    this.know(FULL)
  }

  /** Does `work` as soon as there is room; what it throws for other reasons, or after `stop`, is thrown. */
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
    warn(this.trouble || 'There is room on the disk again; recording goes on.')
    for (const listener of this.listeners) listener(this.trouble, this.why === FULL)
    this.scheduleCheck()
  }

  private scheduleCheck(): void {
    clearTimeout(this.timer)
    const wait = this.why === undefined ? LOOK_MS : this.options.roomMs
    if (!this.stopped) this.timer = setTimeout(() => void this.runCheck(), wait).unref()
  }

  /** While somebody waits, whoever waits longest shows whether there is room: a small file may fit where a clip does not. */
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
      // One that was full stays so until there is room: small files fit in between, and mean nothing.
      if (bavail * bsize < reserve + margin) return this.why ?? ALMOST_FULL
      // A quota is only known by trying.
      if (this.why === FULL) await this.tryWriting(Math.max(TRIED_BYTES, margin))
      return undefined
    } catch (error) {
      return isFull(error) ? FULL : undefined
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
