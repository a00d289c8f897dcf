import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { deviceId, id, ms } from '../../contract/wire/envelope.ts'
import type { Happening } from '../virtual/day-schedule.ts'
import { dropUntil, whyOver } from './disk-limits.ts'
import { classifyDeliveryError } from './delivery-errors.ts'
import { exists, readSettingsFile, removeDurably, writeFileDurably } from '../runtime/durable-files.ts'
import { log, getErrorMessage, warn } from '../runtime/log.ts'
import { DeliveryWorker } from './delivery-worker.ts'
import { recordedClip, type RecordedClip } from './recorded-clip.ts'
import { DiskSpaceMonitor, type RoomOptions } from './disk-space-monitor.ts'

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
export type QueuedRecording = Happening | RecordedClip

/**
 * Delivers a recording; may be called again for a delivered one. `listed`: true if `list` has already listed its event.
 */
type Deliver = (entry: QueuedRecording, listed: boolean) => Promise<void>

/** Defaults: 200 MB of reserve, retry every 5 s. */
export interface QueueOptions extends Partial<RoomOptions> {
  /**
   * Lists the event of a recording before the recording is delivered, so that a long upload of an earlier recording
   * does not delay the event.
   */
  readonly list?: ((entry: QueuedRecording) => Promise<void>) | undefined
  /** Maximum bytes of recordings on disk; default 1 GB. */
  readonly limit?: number | undefined
}
const DEFAULTS = { limit: 1_000_000_000, reserve: 200_000_000, roomMs: 5000 }
/** Delay before retrying a recording that the provider rejects, ms; a reconnect retries immediately. */
const UNWANTED_MS = 600_000
const MEDIA = ['mp4', 'jpg'] as const

/** Recordings not yet acknowledged by the provider: one file each, so that a crash loses none. */
export class RecordingQueue {
  readonly recordingFolder: string
  readonly room: DiskSpaceMonitor
  private readonly folder: string
  private readonly limit: number
  private readonly deliver: Deliver
  private readonly list: QueueOptions['list']
  /** One worker delivers complete recordings; the other lists events of waiting recordings before their delivery. */
  private readonly lanes: readonly DeliveryWorker[]
  private current = ''
  /**
   * Entries for which early listing was tried; false if the provider rejected it. Not persisted: the next run lists the
   * events again, which is idempotent.
   */
  private readonly listed = new Map<string, boolean>()
  private readonly entries = new Map<string, QueuedRecording>()
  /** Time (performance.now()) until which a rejected recording is not retried. */
  private readonly unwanted = new Map<string, number>()
  private changes = 0
  private complaint = ''

  constructor(data: string, deliver: Deliver, options: QueueOptions = {}) {
    this.folder = join(data, 'queue')
    this.recordingFolder = join(this.folder, 'recording')
    this.deliver = deliver
    this.list = options.list
    const waiting = () => this.waiting()
    // The oldest entry is not listed early: its delivery comes next and lists its event too.
    const behind = async () => (await this.waiting()).slice(1)
    this.lanes = [
      new DeliveryWorker({
        waiting,
        one: (name) => this.deliverFile(name),
        complain: (reason) => this.complain(reason),
      }),
      new DeliveryWorker({ waiting: behind, one: (name) => this.ahead(name), complain: () => undefined }),
    ]
    this.limit = options.limit ?? DEFAULTS.limit
    this.room = new DiskSpaceMonitor(this.folder, { ...DEFAULTS, ...options })
  }

  /** Creates the folders and removes files that a crash left half-written. */
  async open(): Promise<void> {
    await mkdir(join(this.folder, 'refused'), { recursive: true })
    await mkdir(this.recordingFolder, { recursive: true })
    const names = new Set(await readdir(this.folder))
    const orphan = (name: string) => /\.(mp4|jpg)$/.test(name) && !names.has(name.replace(/\.(mp4|jpg)$/, '.json'))
    const useless = [...names].filter((name) => name.endsWith('.tmp') || orphan(name))
    await Promise.all(useless.map((name) => rm(join(this.folder, name), { force: true })))
    await this.room.start()
  }

  getFilePath(eventId: string, kind: (typeof MEDIA)[number] | 'json'): string {
    return join(this.folder, `${v.parse(id, eventId)}.${kind}`)
  }

  has(eventId: string): Promise<boolean> {
    return exists(this.getFilePath(eventId, 'json'))
  }

  /** Returns the names of unfinished recordings, oldest first. */
  async interrupted(): Promise<string[]> {
    return byTime((await readdir(this.recordingFolder)).filter((name) => name.endsWith('.part')))
  }

  /**
   * Makes room for another clip. Deletes rejected clips first, then the oldest waiting clips; the events of waiting
   * clips stay. Returns the reason if there is still no room, worded as the rest of a sentence.
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

  /** Resolves when the recording is safe on disk. Idempotent per `eventId`. */
  async add(eventId: string, entry: QueuedRecording): Promise<void> {
    await writeFileDurably(this.getFilePath(eventId, 'json'), JSON.stringify(entry))
    this.changes++
    this.wake()
  }

  async waiting(): Promise<string[]> {
    return byTime((await readdir(this.folder)).filter((name) => name.endsWith('.json')))
  }

  /** Number that changes with every added or removed entry. */
  get revision(): number {
    return this.changes
  }

  /** Returns all readable waiting entries, oldest first. */
  async contents(): Promise<QueuedRecording[]> {
    const names = await this.waiting()
    const there = new Set(names)
    for (const name of this.entries.keys()) if (!there.has(name)) this.entries.delete(name)
    const all: QueuedRecording[] = []
    for (const name of names) {
      const entry = await this.read(name).catch(() => undefined)
      if (entry) all.push(entry)
    }
    return all
  }

  /** Retries all waiting entries now. */
  kick(): void {
    this.unwanted.clear()
    this.wake()
  }

  private wake(): void {
    for (const lane of this.lanes) lane.wake()
  }

  stop(): void {
    this.room.stop()
    for (const lane of this.lanes) lane.stop()
  }

  /** Reads an entry. Returns undefined if the entry is damaged; throws if it cannot be read from disk. */
  private async read(name: string): Promise<QueuedRecording | undefined> {
    const entry = this.entries.get(name) ?? parse(await readSettingsFile(join(this.folder, name)))
    if (entry) this.entries.set(name, entry)
    return entry
  }

  private isUnwanted(name: string): boolean {
    return (this.unwanted.get(name) ?? 0) > performance.now()
  }

  /**
   * Lists the event of an entry before its delivery starts. If the provider rejects that, the delivery lists the event
   * later.
   */
  private async ahead(name: string): Promise<string | undefined> {
    if (name === this.current || this.listed.has(name) || this.isUnwanted(name)) return undefined
    const entry = await this.read(name).catch(() => undefined)
    if (!entry || !this.list) return undefined
    try {
      await this.list(entry)
      this.listed.set(name, true)
    } catch (error) {
      const fate = classifyDeliveryError(error, Date.now() - timeIn(entry))
      if (fate === 'stop') throw error
      if (fate === 'wait') return getErrorMessage(error)
      this.listed.set(name, false)
    }
    return undefined
  }

  /** Delivers one entry. Returns a reason if only this entry must wait; throws if no entry can be delivered now. */
  private async deliverFile(name: string): Promise<string | undefined> {
    if (this.isUnwanted(name)) return undefined
    const path = join(this.folder, name)
    let entry: QueuedRecording | undefined
    try {
      entry = await this.read(name)
    } catch (error) {
      return getErrorMessage(error)
    }
    if (!entry) return this.refuse(name, 'its file is damaged')
    this.current = name
    try {
      await this.deliver(entry, this.listed.get(name) === true)
    } catch (error) {
      const fate = classifyDeliveryError(error, Date.now() - timeIn(entry))
      if (fate === 'stop') throw error
      if (fate === 'later') return this.leave(name, getErrorMessage(error))
      return fate === 'wait' ? getErrorMessage(error) : this.refuse(name, getErrorMessage(error))
    } finally {
      this.current = ''
    }
    await removeDurably(path)
    this.left(name)
    const media = MEDIA.map((kind) => rm(path.replace(/json$/, kind), { force: true }))
    await Promise.all(media)
    return undefined
  }

  private left(name: string): void {
    this.changes++
    this.listed.delete(name)
    this.entries.delete(name)
  }

  private leave(name: string, reason: string): undefined {
    if (!this.unwanted.has(name)) log(`A recording waits until the provider wants it: ${reason}`)
    this.unwanted.set(name, performance.now() + UNWANTED_MS)
  }

  /** Moves a rejected entry aside for inspection, so that it does not block the others. */
  private async refuse(name: string, reason: string): Promise<undefined> {
    warn(`A recording was put aside in ${join(this.folder, 'refused')}, and is not in the portal: ${reason}`)
    await rename(join(this.folder, name), join(this.folder, 'refused', name))
    this.left(name)
    await Promise.all(
      MEDIA.map((kind) => name.replace(/json$/, kind)).map((file) =>
        rename(join(this.folder, file), join(this.folder, 'refused', file)).catch(() => undefined),
      ),
    )
  }

  private complain(reason: string): void {
    if (reason && reason !== this.complaint) log(`Recordings wait on disk for the provider: ${reason}`)
    this.complaint = reason
  }
}

/** Returns the time of the event, ms UTC. */
const timeIn = (entry: QueuedRecording) => ('kind' in entry ? entry.event.event_ts : entry.at)

/** Parses the time of the event, ms UTC, from the end of a file name. */
const parseEventTime = (name: string) => parseInt(name.slice(name.lastIndexOf('-') + 1, name.lastIndexOf('.')), 36)

const byTime = (names: string[]) => names.sort((a, b) => parseEventTime(a) - parseEventTime(b))

function parse(content: string): QueuedRecording | undefined {
  try {
    return v.parse(queued, JSON.parse(content))
  } catch {
    return undefined
  }
}
