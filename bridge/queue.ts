import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { deviceId, id, ms } from '../contract/envelope.ts'
import { BackOff } from './back-off.ts'
import type { Happening } from './clip.ts'
import { removeDurably, writeFileDurably } from './files.ts'
import { log, messageOf } from './log.ts'
import { ProviderError } from './provider-client.ts'

const queued = v.object({
  device_id: deviceId,
  scene: v.string(),
  light: v.picklist(['day', 'night']),
  action: v.string(),
  at: ms,
})

/** What is recorded and not yet acknowledged by the provider: one file each, so that no death of this process loses it. */
export class RecordingQueue {
  private readonly folder: string
  private readonly deliver: (happening: Happening) => Promise<void>
  private readonly backOff = new BackOff(1000, 30_000)
  private working = false
  private again = false
  private stopped = false
  private timer: NodeJS.Timeout | undefined
  private complaint = ''

  /** `deliver` uploads one recording; it may be called again for one that had arrived already. */
  constructor(data: string, deliver: (happening: Happening) => Promise<void>) {
    this.folder = join(data, 'queue')
    this.deliver = deliver
  }

  async open(): Promise<void> {
    await mkdir(join(this.folder, 'refused'), { recursive: true })
    const names = await readdir(this.folder)
    await Promise.all(
      names.filter((name) => name.endsWith('.tmp')).map((name) => rm(join(this.folder, name), { force: true })),
    )
  }

  /** Resolves when the recording is safe on disk. `eventId` names it: adding it again changes nothing. */
  async add(eventId: string, happening: Happening): Promise<void> {
    await writeFileDurably(join(this.folder, `${v.parse(id, eventId)}.json`), JSON.stringify(happening))
    this.kick()
  }

  /** Names of what waits, oldest first. */
  async waiting(): Promise<string[]> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith('.json'))
    const time = (name: string) => parseInt(name.slice(name.lastIndexOf('-') + 1, -5), 36)
    return names.sort((a, b) => time(a) - time(b))
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
      const fate = fateOf(error, Date.now() - entry.at)
      if (fate === 'stop') throw error
      return fate === 'wait' ? messageOf(error) : this.refuse(name, messageOf(error))
    }
    await removeDurably(path)
    return undefined
  }

  /** Kept for a look, but no longer in the way of the others. */
  private async refuse(name: string, reason: string): Promise<undefined> {
    log(`A recording was put aside in ${join(this.folder, 'refused')}: ${reason}`)
    await rename(join(this.folder, name), join(this.folder, 'refused', name))
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
  if (error instanceof RangeError) return 'refuse'
  if (!(error instanceof ProviderError)) return 'wait'
  if (!error.temporary) return 'refuse'
  const own = error.status === 403 || error.status === 404 || error.status === 409 || error.status === 410
  return own ? (age > PATIENCE_MS ? 'refuse' : 'wait') : 'stop'
}

function parse(content: string): Happening | undefined {
  try {
    return v.parse(queued, JSON.parse(content))
  } catch {
    return undefined
  }
}
