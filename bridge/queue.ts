import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { deviceId, id, ms } from '../contract/envelope.ts'
import { BackOff } from './back-off.ts'
import type { Happening } from './clip.ts'
import { whyFull } from './disk.ts'
import { removeDurably, writeFileDurably } from './files.ts'
import { log, messageOf } from './log.ts'
import { ProviderError } from './provider-client.ts'
import { recordedClip, type RecordedClip } from './recording/recorded.ts'

const queued = v.union([
  recordedClip,
  v.object({
    device_id: deviceId,
    scene: v.string(),
    light: v.picklist(['day', 'night']),
    action: v.string(),
    at: ms,
  }),
])
/** What a virtual camera's day plan had, or what a real camera has recorded. */
export type Queued = Happening | RecordedClip

/** Bytes that the queue takes on the disk unless it is told otherwise. */
export const QUEUE_BYTES = 1_000_000_000
/** Files of a recording beside its entry. */
const MEDIA = ['mp4', 'jpg'] as const

/** What is recorded and not yet acknowledged by the provider: one file each, so that no death of this process loses it. */
export class RecordingQueue {
  readonly recordingFolder: string
  private readonly folder: string
  private readonly limit: number
  private readonly deliver: (entry: Queued) => Promise<void>
  private readonly backOff = new BackOff(1000, 30_000)
  private working = false
  private again = false
  private stopped = false
  private timer: NodeJS.Timeout | undefined
  private complaint = ''

  /** `deliver` uploads one recording; it may be called again for one that had arrived already. */
  constructor(data: string, deliver: (entry: Queued) => Promise<void>, limit = QUEUE_BYTES) {
    this.folder = join(data, 'queue')
    this.recordingFolder = join(this.folder, 'recording')
    this.deliver = deliver
    this.limit = limit
  }

  /** Removes what a death has left half written. */
  async open(): Promise<void> {
    await mkdir(join(this.folder, 'refused'), { recursive: true })
    await mkdir(this.recordingFolder, { recursive: true })
    const names = new Set(await readdir(this.folder))
    const orphan = (name: string) => /\.(mp4|jpg)$/.test(name) && !names.has(name.replace(/\w+$/, 'json'))
    const useless = [...names].filter((name) => name.endsWith('.tmp') || orphan(name))
    await Promise.all(useless.map((name) => rm(join(this.folder, name), { force: true })))
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

  /** Why there is no room for another clip, as the rest of a sentence; undefined when there is. */
  whyFull(): Promise<string | undefined> {
    return whyFull(this.folder, this.limit)
  }

  /** Resolves when the recording is safe on disk. `eventId` names it: adding it again changes nothing. */
  async add(eventId: string, entry: Queued): Promise<void> {
    await writeFileDurably(this.pathOf(eventId, 'json'), JSON.stringify(entry))
    this.kick()
  }

  /** Names of what waits, oldest first. */
  async waiting(): Promise<string[]> {
    return byTime((await readdir(this.folder)).filter((name) => name.endsWith('.json')))
  }

  /** Tries what waits, now. */
  kick(): void {
    this.backOff.reset()
    this.again = true
    if (!this.working) void this.work()
  }

  stop(): void {
    this.stopped = true
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
    if (this.stopped) return undefined
    const path = join(this.folder, name)
    const entry = parse(await readFile(path, 'utf8'))
    if (!entry) return this.refuse(name, 'its file is damaged')
    try {
      await this.deliver(entry)
    } catch (error) {
      const fate = fateOf(error, Date.now() - timeIn(entry))
      if (fate === 'stop') throw error
      return fate === 'wait' ? messageOf(error) : this.refuse(name, messageOf(error))
    }
    await removeDurably(path)
    const media = MEDIA.map((kind) => rm(path.replace(/json$/, kind), { force: true }))
    await Promise.all(media)
    return undefined
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

/** A recording that the provider refuses for so long (a removed camera, for instance) will never be taken. */
const PATIENCE_MS = 7 * 86_400_000

/**
 * What a failed delivery means: nothing can be delivered now (`stop`), this one has to wait while others go on (`wait`), or
 * it will never be taken (`refuse`). `age` in ms.
 */
function fateOf(error: unknown, age: number): 'stop' | 'wait' | 'refuse' {
  // The scene is gone; a RangeError with a code would be Node's own.
  if (error instanceof RangeError && !('code' in error)) return 'refuse'
  if (!(error instanceof ProviderError)) return 'wait'
  if (!error.temporary) return 'refuse'
  const own = error.status === 403 || error.status === 404 || error.status === 409 || error.status === 410
  return own ? (age > PATIENCE_MS ? 'refuse' : 'wait') : 'stop'
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
