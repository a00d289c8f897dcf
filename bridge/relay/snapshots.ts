import { encodeJpeg } from '../media/jpeg-encoder.ts'
import { log, getErrorMessage } from '../runtime/log.ts'
import type { VideoSource } from '../sources/video-source.ts'

const MIN_INTERVAL_MS = 900

/** Captures snapshots on demand, one at a time, for viewers that can use neither WebRTC nor the relay. */
export class SnapshotSource {
  readonly #source: VideoSource
  readonly #store: (jpeg: Buffer) => Promise<void>
  readonly #encodeJpeg: typeof encodeJpeg
  #isBusy = false
  #lastCaptureAt = -Infinity
  #lastFailure = ''

  constructor(source: VideoSource, store: (jpeg: Buffer) => Promise<void>, makeJpeg = encodeJpeg) {
    this.#source = source
    this.#store = store
    this.#encodeJpeg = makeJpeg
  }

  /**
   * Encodes and stores the newest frame as JPEG, and logs errors. Does nothing if there is no frame, while another
   * capture runs, and within `MIN_INTERVAL_MS` of the previous capture.
   */
  async capture(): Promise<void> {
    const gop = this.#source.getGop()
    if (this.#isBusy || gop.length === 0 || performance.now() - this.#lastCaptureAt < MIN_INTERVAL_MS) return
    this.#isBusy = true
    this.#lastCaptureAt = performance.now()
    try {
      await this.#store(await this.#encodeJpeg([...gop]))
      this.#lastFailure = ''
    } catch (error) {
      this.#logFailure(getErrorMessage(error))
    }
    this.#isBusy = false
  }

  #logFailure(reason: string): void {
    if (reason !== this.#lastFailure) log(`A snapshot for a viewer couldn't be created: ${reason}`)
    this.#lastFailure = reason
  }
}
