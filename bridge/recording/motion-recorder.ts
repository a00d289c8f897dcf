import { join } from 'node:path'
import { removeDurably } from '../files.ts'
import { nalType, NAL, type AccessUnit } from '../h264/annex-b.ts'
import { messageOf, warn } from '../log.ts'
import { Episodes, type Episode, type Rate, type Sample } from '../motion/episodes.ts'
import type { RecordingQueue } from '../queue.ts'
import { finishRecording } from './finish.ts'
import { Journal } from './journal.ts'
import { eventIdOf, motionEvent } from './recorded.ts'
import { PictureRing, PRE_ROLL_MS } from './ring.ts'

/** A clip is cut here; what goes on is the next event. */
const CLIP_BYTES_MAX = 24 * 1024 * 1024

export interface MotionRecorderOptions {
  readonly deviceId: string
  readonly name: string
  readonly queue: RecordingQueue
}

/** Keeps the last seconds of a real camera and makes an event with a clip of each motion. */
export class MotionRecorder {
  private readonly options: MotionRecorderOptions
  private readonly ring = new PictureRing()
  private readonly episodes: Episodes
  /** The journal of the present event; undefined inside: there is no room for a clip. */
  private recording: Promise<Journal | undefined> | undefined
  private journal: Journal | undefined
  /** Pictures since the event began for which the journal is not open yet. */
  private early: AccessUnit[] = []
  private parameters: Buffer | undefined
  /** Events that are being finished. */
  private finishing: Promise<void> = Promise.resolve()

  constructor(options: MotionRecorderOptions) {
    this.options = options
    this.episodes = new Episodes({ began: (at) => this.began(at), ended: (episode) => this.ended(episode) })
  }

  picture(unit: AccessUnit): void {
    if (unit.keyframe) this.compareParameters(unit)
    this.ring.push(unit)
    if (this.journal) this.journal.add(unit)
    else if (this.recording) this.early.push(unit)
    if ((this.journal?.bytes ?? 0) > CLIP_BYTES_MAX) this.episodes.close()
  }

  sample(sample: Sample, rate?: Rate): void {
    this.episodes.push(sample, rate)
  }

  /** The camera is gone or switched off: what it has shown becomes an event; its next pictures are another stream. */
  interrupt(): void {
    this.episodes.close()
    this.ring.clear()
  }

  /** Resolves when all that has ended lies in the queue. */
  idle(): Promise<void> {
    return this.finishing
  }

  /** A clip has one size of picture: when the camera changes it, the clip ends. */
  private compareParameters(unit: AccessUnit): void {
    const sps = unit.nals.find((nal) => nalType(nal) === NAL.sps)
    if (sps && this.parameters && !sps.equals(this.parameters)) this.interrupt()
    if (sps) this.parameters = Buffer.from(sps)
  }

  private began(at: number): void {
    this.early = this.ring.from(at - PRE_ROLL_MS)
    this.recording = this.open(Math.round(at))
    void this.recording.then((journal) => this.opened(journal))
  }

  private opened(journal: Journal | undefined): void {
    for (const unit of this.early) journal?.add(unit)
    this.early = []
    this.journal = journal
  }

  private async open(begin: number): Promise<Journal | undefined> {
    const { deviceId, queue, name } = this.options
    const event_id = eventIdOf(deviceId, begin)
    try {
      const full = await queue.whyFull()
      if (full) throw new Error(full)
      return await Journal.open(join(queue.recordingFolder, `${event_id}.part`), {
        event_id,
        device_id: deviceId,
        begin,
      })
    } catch (error) {
      warn(`${name} has motion, but its clip cannot be recorded: ${messageOf(error)}`)
      return undefined
    }
  }

  private ended(episode: Episode): void {
    const { recording } = this
    this.recording = undefined
    const finish = async () => {
      const journal = await recording
      // `opened` runs first, as it was attached first.
      if (this.journal === journal) this.journal = undefined
      await this.finish(journal, episode)
    }
    const done = finish()
    this.finishing = Promise.allSettled([this.finishing, done]).then(() => undefined)
  }

  private async finish(journal: Journal | undefined, episode: Episode): Promise<void> {
    const { deviceId, queue, name } = this.options
    try {
      if (journal) {
        await journal.close()
        return await finishRecording(queue, journal.path, episode)
      }
    } catch (error) {
      warn(`${name} has motion, but its clip cannot be recorded: ${sentenceOf(error)}`)
      if (journal) await removeDurably(journal.path).catch(() => undefined)
    }
    try {
      const event = motionEvent(deviceId, episode.begin)
      await queue.add(event.event_id, { kind: 'clip', event, clip: null, thumb: false })
    } catch (error) {
      warn(`An event of ${name} is lost: ${sentenceOf(error)}`)
    }
  }
}

function sentenceOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC'
    ? 'the disk is full. Make room; what is recorded already is kept and uploaded.'
    : messageOf(error)
}
