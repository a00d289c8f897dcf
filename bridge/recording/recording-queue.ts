import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { deviceId, id, timestampMs } from '../../contract/wire/envelope.ts'
import type { ScheduledAction } from '../virtual/day-schedule.ts'
import { removeFilesUntilBelow, getOverLimitReason } from './disk-limits.ts'
import { classifyDeliveryError } from './delivery-errors.ts'
import { exists, readSettingsFile, removeDurably, writeFileDurably } from '../runtime/durable-files.ts'
import { log, getErrorMessage, warn } from '../runtime/log.ts'
import { DeliveryWorker } from './delivery-worker.ts'
import { recordedClipSchema, type RecordedClip } from './recorded-clip.ts'
import { DiskSpaceMonitor, type DiskSpaceOptions } from './disk-space-monitor.ts'

const queuedRecordingSchema = v.union([
  recordedClipSchema,
  v.object({
    device_id: deviceId,
    scene: v.string(),
    light: v.picklist(['day', 'dusk', 'night']),
    action: v.string(),
    at: timestampMs,
  }),
])
export type QueuedRecording = ScheduledAction | RecordedClip

/** Delivers a recording. Must be idempotent. `isListed`: true if `QueueOptions.list` has already posted the event. */
type DeliverRecording = (entry: QueuedRecording, isListed: boolean) => Promise<void>

/** Options of the queue. Defaults: `reserve` is 200 MB, and `roomMs` is 5 s. */
export interface QueueOptions extends Partial<DiskSpaceOptions> {
  /**
   * Posts the event of a recording before the recording is delivered, so that the upload of an earlier recording does
   * not delay the event.
   */
  readonly list?: ((entry: QueuedRecording) => Promise<unknown>) | undefined
  /** Maximum bytes of recordings on disk; default 1 GB. */
  readonly limit?: number | undefined
}
const DEFAULT_QUEUE_OPTIONS = { limit: 1_000_000_000, reserve: 200_000_000, roomMs: 5000 }
/** Delay before retrying a recording that the provider rejects, ms; a reconnect retries immediately. */
const REJECTED_RETRY_MS = 600_000
const MEDIA_EXTENSIONS = ['mp4', 'jpg'] as const

/** Stores each recording in its own files until the provider acknowledges it, so that a crash loses no recording. */
export class RecordingQueue {
  readonly recordingFolder: string
  readonly diskSpace: DiskSpaceMonitor
  readonly #folder: string
  readonly #limitBytes: number
  readonly #deliver: DeliverRecording
  readonly #postEarlyEvent: QueueOptions['list']
  /**
   * One worker delivers complete recordings. The other worker posts the events of recordings that still wait for
   * delivery.
   */
  readonly #workers: readonly DeliveryWorker[]
  #deliveringName = ''
  /**
   * Entry name → true if its event was posted early, false if the provider rejected the event. Not persisted: after a
   * restart, the queue posts the events again, which is idempotent.
   */
  readonly #earlyEvents = new Map<string, boolean>()
  readonly #entries = new Map<string, QueuedRecording>()
  /** Earliest retry time of each rejected recording, by `performance.now()`. */
  readonly #rejectedUntil = new Map<string, number>()
  #changeCount = 0
  #lastLoggedReason = ''

  constructor(data: string, deliver: DeliverRecording, options: QueueOptions = {}) {
    this.#folder = join(data, 'queue')
    this.recordingFolder = join(this.#folder, 'recording')
    this.#deliver = deliver
    this.#postEarlyEvent = options.list
    const listWaiting = () => this.listWaiting()
    // Skip the oldest entry: its delivery starts next and posts its event.
    const listLaterEntries = async () => (await this.listWaiting()).slice(1)
    this.#workers = [
      new DeliveryWorker({
        waiting: listWaiting,
        one: (name) => this.#deliverFile(name),
        reportReason: (reason) => this.#logWaitReason(reason),
      }),
      new DeliveryWorker({
        waiting: listLaterEntries,
        one: (name) => this.#listEventEarly(name),
        reportReason: () => undefined,
      }),
    ]
    this.#limitBytes = options.limit ?? DEFAULT_QUEUE_OPTIONS.limit
    this.diskSpace = new DiskSpaceMonitor(this.#folder, { ...DEFAULT_QUEUE_OPTIONS, ...options })
  }

  /** Creates the folders, and removes incomplete and orphaned files that a crash left behind. */
  async open(): Promise<void> {
    await mkdir(join(this.#folder, 'refused'), { recursive: true })
    await mkdir(this.recordingFolder, { recursive: true })
    const names = new Set(await readdir(this.#folder))
    const isOrphan = (name: string) => /\.(mp4|jpg)$/.test(name) && !names.has(name.replace(/\.(mp4|jpg)$/, '.json'))
    const useless = [...names].filter((name) => name.endsWith('.tmp') || isOrphan(name))
    await Promise.all(useless.map((name) => rm(join(this.#folder, name), { force: true })))
    await this.diskSpace.start()
  }

  getFilePath(eventId: string, kind: (typeof MEDIA_EXTENSIONS)[number] | 'json'): string {
    return join(this.#folder, `${v.parse(id, eventId)}.${kind}`)
  }

  has(eventId: string): Promise<boolean> {
    return exists(this.getFilePath(eventId, 'json'))
  }

  /** Returns the names of the journal files in `recordingFolder`, oldest event first. */
  async listInterrupted(): Promise<string[]> {
    return sortByEventTime((await readdir(this.recordingFolder)).filter((name) => name.endsWith('.part')))
  }

  /**
   * Makes room for another clip: while the queue exceeds its limit, deletes rejected clips, then waiting clips, oldest
   * first. Keeps all events. Returns the reason, as the end of a sentence, if there is still no room.
   */
  async makeRoom(): Promise<string | undefined> {
    const aside = join(this.#folder, 'refused')
    const files = [
      ...sortByEventTime((await readdir(aside)).filter((name) => name.endsWith('.mp4'))).map((name) =>
        join(aside, name),
      ),
      ...(await this.listWaiting()).map((name) => join(this.#folder, name.replace(/json$/, 'mp4'))),
    ]
    const limit = this.#limitBytes
    const dropped = await removeFilesUntilBelow(this.#folder, limit, files)
    const count = dropped.length === 1 ? 'the oldest clip was' : `the ${dropped.length} oldest clips were`
    if (dropped.length > 0)
      warn(`The upload queue reached its limit of ${Math.round(limit / 1e6)} MB, so ${count} deleted to make room.`)
    return (await this.diskSpace.check()) ?? getOverLimitReason(this.#folder, limit)
  }

  /** Resolves when the recording is safe on disk. Idempotent per `eventId`. */
  async add(eventId: string, entry: QueuedRecording): Promise<void> {
    await writeFileDurably(this.getFilePath(eventId, 'json'), JSON.stringify(entry))
    this.#changeCount++
    this.#wake()
  }

  async listWaiting(): Promise<string[]> {
    return sortByEventTime((await readdir(this.#folder)).filter((name) => name.endsWith('.json')))
  }

  /** Counter that increases when an entry is added or removed. */
  get revision(): number {
    return this.#changeCount
  }

  /** Returns all readable waiting entries, oldest first. */
  async readWaitingEntries(): Promise<QueuedRecording[]> {
    const names = await this.listWaiting()
    const there = new Set(names)
    for (const name of this.#entries.keys()) if (!there.has(name)) this.#entries.delete(name)
    const all: QueuedRecording[] = []
    for (const name of names) {
      const entry = await this.#read(name).catch(() => undefined)
      if (entry) all.push(entry)
    }
    return all
  }

  retryNow(): void {
    this.#rejectedUntil.clear()
    this.#wake()
  }

  #wake(): void {
    for (const lane of this.#workers) lane.wake()
  }

  stop(): void {
    this.diskSpace.stop()
    for (const lane of this.#workers) lane.stop()
  }

  /** Reads an entry. Returns undefined if the entry is damaged; throws if it cannot be read from disk. */
  async #read(name: string): Promise<QueuedRecording | undefined> {
    const entry = this.#entries.get(name) ?? parseQueuedRecording(await readSettingsFile(join(this.#folder, name)))
    if (entry) this.#entries.set(name, entry)
    return entry
  }

  #isRetryDelayed(name: string): boolean {
    return (this.#rejectedUntil.get(name) ?? 0) > performance.now()
  }

  /**
   * Posts the event of an entry before its delivery. If the provider rejects the event, the delivery posts it again.
   */
  async #listEventEarly(name: string): Promise<string | undefined> {
    if (name === this.#deliveringName || this.#earlyEvents.has(name) || this.#isRetryDelayed(name)) return undefined
    const entry = await this.#read(name).catch(() => undefined)
    if (!entry || !this.#postEarlyEvent) return undefined
    try {
      await this.#postEarlyEvent(entry)
      this.#earlyEvents.set(name, true)
    } catch (error) {
      const outcome = classifyDeliveryError(error, Date.now() - getEventTime(entry))
      if (outcome === 'stop') throw error
      if (outcome === 'wait') return getErrorMessage(error)
      this.#earlyEvents.set(name, false)
    }
    return undefined
  }

  /** Delivers one entry. Returns a reason if only this entry must wait; throws if no entry can be delivered now. */
  async #deliverFile(name: string): Promise<string | undefined> {
    if (this.#isRetryDelayed(name)) return undefined
    const path = join(this.#folder, name)
    let entry: QueuedRecording | undefined
    try {
      entry = await this.#read(name)
    } catch (error) {
      return getErrorMessage(error)
    }
    if (!entry) return this.#moveToRefused(name, 'its file is damaged')
    this.#deliveringName = name
    try {
      await this.#deliver(entry, this.#earlyEvents.get(name) === true)
    } catch (error) {
      const outcome = classifyDeliveryError(error, Date.now() - getEventTime(entry))
      if (outcome === 'stop') throw error
      if (outcome === 'later') return this.#delayRetry(name, getErrorMessage(error))
      return outcome === 'wait' ? getErrorMessage(error) : this.#moveToRefused(name, getErrorMessage(error))
    } finally {
      this.#deliveringName = ''
    }
    await removeDurably(path)
    this.#discardEntryState(name)
    const media = MEDIA_EXTENSIONS.map((kind) => rm(path.replace(/json$/, kind), { force: true }))
    await Promise.all(media)
    return undefined
  }

  #discardEntryState(name: string): void {
    this.#changeCount++
    this.#earlyEvents.delete(name)
    this.#entries.delete(name)
  }

  #delayRetry(name: string, reason: string): undefined {
    if (!this.#rejectedUntil.has(name))
      log(`The hub will try again later because the provider hasn't accepted a recording yet: ${reason}`)
    this.#rejectedUntil.set(name, performance.now() + REJECTED_RETRY_MS)
  }

  /**
   * Moves a rejected or damaged entry and its media files to the folder `refused` for inspection, so that the entry
   * does not block other entries.
   */
  async #moveToRefused(name: string, reason: string): Promise<undefined> {
    warn(`A recording was moved to ${join(this.#folder, 'refused')} because it can't be uploaded: ${reason}`)
    await rename(join(this.#folder, name), join(this.#folder, 'refused', name))
    this.#discardEntryState(name)
    await Promise.all(
      MEDIA_EXTENSIONS.map((kind) => name.replace(/json$/, kind)).map((file) =>
        rename(join(this.#folder, file), join(this.#folder, 'refused', file)).catch(() => undefined),
      ),
    )
  }

  #logWaitReason(reason: string): void {
    if (reason && reason !== this.#lastLoggedReason)
      log(`Recordings will stay on disk until they can be uploaded: ${reason}`)
    this.#lastLoggedReason = reason
  }
}

const getEventTime = (entry: QueuedRecording) => ('kind' in entry ? entry.event.event_ts : entry.at)

/** Parses the time of the event, ms UTC, from the end of a file name. */
const parseEventTime = (name: string) => parseInt(name.slice(name.lastIndexOf('-') + 1, name.lastIndexOf('.')), 36)

const sortByEventTime = (names: string[]) => names.sort((a, b) => parseEventTime(a) - parseEventTime(b))

function parseQueuedRecording(content: string): QueuedRecording | undefined {
  try {
    return v.parse(queuedRecordingSchema, JSON.parse(content))
  } catch {
    return undefined
  }
}
