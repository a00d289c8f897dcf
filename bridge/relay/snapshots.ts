import { encodeJpeg } from '../media/jpeg-encoder.ts'
import { log, getErrorMessage } from '../runtime/log.ts'
import type { Source } from '../sources/video-source.ts'

/** Minimum interval between snapshots, ms. */
const PAUSE_MS = 900

/** Snapshots on demand, one at a time, for viewers whose browser or network plays neither WebRTC nor the relay. */
export class SnapshotSource {
  private readonly source: Source
  private readonly store: (jpeg: Buffer) => Promise<void>
  private readonly makeJpeg: typeof encodeJpeg
  private isBusy = false
  private takenAt = -Infinity
  private complaint = ''

  constructor(source: Source, store: (jpeg: Buffer) => Promise<void>, makeJpeg = encodeJpeg) {
    this.source = source
    this.store = store
    this.makeJpeg = makeJpeg
  }

  /** Encodes and stores the newest frame as JPEG; does nothing while busy or within the minimum interval. */
  async capture(): Promise<void> {
    const group = this.source.group()
    if (this.isBusy || group.length === 0 || performance.now() - this.takenAt < PAUSE_MS) return
    this.isBusy = true
    this.takenAt = performance.now()
    try {
      await this.store(await this.makeJpeg([...group]))
      this.complaint = ''
    } catch (error) {
      this.complain(getErrorMessage(error))
    }
    this.isBusy = false
  }

  /** Logs a repeated failure only once. */
  private complain(reason: string): void {
    if (reason !== this.complaint) log(`A picture for a viewer could not be made: ${reason}`)
    this.complaint = reason
  }
}
