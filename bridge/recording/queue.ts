import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { deviceId, id, ms } from '../../contract/envelope.ts'
import { BackOff } from '../back-off.ts'
import type { Happening } from '../virtual/clip.ts'
import { dropUntil, whyOver } from './disk.ts'
import { fateOf } from './fate.ts'
import { removeDurably, writeFileDurably } from '../files.ts'
import { log, messageOf, warn } from '../log.ts'
import { recordedClip, type RecordedClip } from './recorded.ts'
import { Room, type RoomOptions } from './room.ts'

const queued = v.union([
  recordedClip,
  v.object({
    device_id: deviceId,
    scene: v.string(),
    light: v.picklist(['day', 'dusk', 'night']),
    action: v.string(),
    at: ms,
  }),
])
/** What a virtual camera's day plan had, or what a real camera has recorded. */
export type Queued = Happening | RecordedClip

/** Left out: 200 MB of reserve, tried again every 5 s. */
export interface QueueOptions extends Partial<RoomOptions> {
  /** Bytes that recordings may take on the disk; 1 GB when left out. */
  readonly limit?: number | undefined
}
const DEFAULTS = { limit: 1_000_000_000, reserve: 200_000_000, roomMs: 5000 }
/** How long a recording that the provider does not want is left alone, unless the bridge connects anew, ms. */
const UNWANTED_MS = 600_000
/** Files of a recording beside its entry. */
const MEDIA = ['mp4', 'jpg'] as const

/** What is recorded and not yet acknowledged by the provider: one file each, so that no death of this process loses it. */
export class RecordingQueue {
  readonly recordingFolder: string
  readonly room: Room
  private readonly folder: string
  private readonly limit: number
  private readonly deliver: (entry: Queued) => Promise<void>
  private readonly backOff = new BackOff(1000, 30_000)
  /** Until when (performance.now()) a recording that the provider does not want is left alone. */
  private readonly unwanted = new Map<string, number>()
  private working = false
  private again = false
  private stopped = false
  private timer: NodeJS.Timeout | undefined
  private complaint = ''

  /** `deliver` uploads one recording; it may be called again for one that had arrived already. */
  constructor(data: string, deliver: (entry: Queued) => Promise<void>, options: QueueOptions = {}) {
    this.folder = join(data, 'queue')
    this.recordingFolder = join(this.folder, 'recording')
    this.deliver = deliver
    this.limit = options.limit ?? DEFAULTS.limit
    this.room = new Room(this.folder, { ...DEFAULTS, ...options })
  }

  /** Removes what a death has left half written. */
  async open(): Promise<void> {
    await mkdir(join(this.folder, 'refused'), { recursive: true })
    await mkdir(this.recordingFolder, { recursive: true })
    const names = new Set(await readdir(this.folder))
    const orphan = (name: string) => /\.(mp4|jpg)$/.test(name) && !names.has(name.replace(/\w+$/, 'json'))
    const useless = [...names].filter((name) => name.endsWith('.tmp') || orphan(name))
    await Promise.all(useless.map((name) => rm(join(this.folder, name), { force: true })))
    await this.room.start()
  }

  /** Where a file of a recording lies. */
  pathOf(eventId: string, kind: (typeof MEDIA)[number] | 'json'): string {
    return join(this.folder, `${v.parse(id, eventId)}.${kind}`)
  }

  async has(eventId: string): Promise<boolean> {
    return access(this.pathOf(eventId, 'json')).then(
      () => true,
      () => false,
    )
  }

  /** Recordings that were never finished, oldest first. */
  async interrupted(): Promise<string[]> {
    return byTime((await readdir(this.recordingFolder)).filter((name) => name.endsWith('.part')))
  }

  /**
   * Makes room for another clip: what was put aside goes first, then the oldest clips that wait, whose events stay. Answers
   * why there is none all the same, as the rest of a sentence.
   */
  async makeRoom(): Promise<string | undefined> {
    const aside = join(this.folder, 'refused')
    const files = [
      ...byTime((await readdir(aside)).filter((name) => name.endsWith('.mp4'))).map((name) => join(aside, name)),
      ...(await this.waiting()).map((name) => join(this.folder, name.replace(/json$/, 'mp4'))),
    ]
    const { limit } = this
    const dropped = await dropUntil(this.folder, limit, files)
    const count = dropped.length === 1 ? 'the oldest clip was' : `the ${dropped.length} oldest clips were`
    if (dropped.length > 0)
      warn(`${Math.round(limit / 1e6)} MB of recordings wait for the provider: ${count} given up to make room.`)
    return (await this.room.check()) ?? whyOver(this.folder, limit)
  }

  /** Resolves when the recording is safe on disk. `eventId` names it: adding it again changes nothing. */
  async add(eventId: string, entry: Queued): Promise<void> {
    await writeFileDurably(this.pathOf(eventId, 'json'), JSON.stringify(entry))
    this.wake()
  }

  /** Names of what waits, oldest first. */
  async waiting(): Promise<string[]> {
    return byTime((await readdir(this.folder)).filter((name) => name.endsWith('.json')))
  }

  /** Tries all that waits, now. */
  kick(): void {
    this.unwanted.clear()
    this.wake()
  }

  private wake(): void {
    this.backOff.reset()
    this.again = true
    if (!this.working) void this.work()
  }

  stop(): void {
    this.stopped = true
    this.room.stop()
    clearTimeout(this.timer)
  }

  private async work(): Promise<void> {
    this.working = true
    clearTimeout(this.timer)
    try {
      while (this.again && !this.stopped) {
        this.again = false
        let reason: string | undefined
        for (const name of await this.waiting()) reason = (await this.one(name)) ?? reason
        if (reason !== undefined) throw new Error(reason)
      }
      this.complaint = ''
    } catch (error) {
      this.complain(messageOf(error))
      if (!this.stopped) this.timer = setTimeout(() => this.retry(), this.backOff.next())
    } finally {
      this.working = false
    }
  }

  private retry(): void {
    this.again = true
    if (!this.working) void this.work()
  }

  /** Answers why it has to wait, when that is its own fault; throws when none can be delivered now. */
  private async one(name: string): Promise<string | undefined> {
    if (this.stopped || (this.unwanted.get(name) ?? 0) > performance.now()) return undefined
    const path = join(this.folder, name)
    let content: string
    try {
      content = await readFile(path, 'utf8')
    } catch (error) {
      return messageOf(error)
    }
    const entry = parse(content)
    if (!entry) return this.refuse(name, 'its file is damaged')
    try {
      await this.deliver(entry)
    } catch (error) {
      const fate = fateOf(error, Date.now() - timeIn(entry))
      if (fate === 'stop') throw error
      if (fate === 'later') return this.leave(name, messageOf(error))
      return fate === 'wait' ? messageOf(error) : this.refuse(name, messageOf(error))
    }
    await removeDurably(path)
    const media = MEDIA.map((kind) => rm(path.replace(/json$/, kind), { force: true }))
    await Promise.all(media)
    return undefined
  }

  private leave(name: string, reason: string): undefined {
    if (!this.unwanted.has(name)) log(`A recording waits until the provider wants it: ${reason}`)
    this.unwanted.set(name, performance.now() + UNWANTED_MS)
  }

  /** Kept for a look, but no longer in the way of the others. */
  private async refuse(name: string, reason: string): Promise<undefined> {
    log(`A recording was put aside in ${join(this.folder, 'refused')}: ${reason}`)
    await rename(join(this.folder, name), join(this.folder, 'refused', name))
    await Promise.all(
      MEDIA.map((kind) => name.replace(/json$/, kind)).map((file) =>
        rename(join(this.folder, file), join(this.folder, 'refused', file)).catch(() => undefined),
      ),
    )
  }

  private complain(reason: string): void {
    if (reason !== this.complaint) log(`Recordings wait on disk for the provider: ${reason}`)
    this.complaint = reason
  }
}

/** When it happened, ms UTC. */
const timeIn = (entry: Queued) => ('kind' in entry ? entry.event.event_ts : entry.at)

/** A name ends in the time of its event. */
const timeOf = (name: string) => parseInt(name.slice(name.lastIndexOf('-') + 1, name.lastIndexOf('.')), 36)

const byTime = (names: string[]) => names.sort((a, b) => timeOf(a) - timeOf(b))

function parse(content: string): Queued | undefined {
  try {
    return v.parse(queued, JSON.parse(content))
  } catch {
    return undefined
  }
}
