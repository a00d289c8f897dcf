/** Interval at which the timer checks if an upload is due. */
const CHECK_INTERVAL_MS = 60_000
/** Checks per upload. On Cloudflare, an upload costs two requests and an R2 write, which is expensive. */
const CHECKS_PER_UPLOAD = 60

interface LastPictureUploadsOptions {
  readonly store: () => Promise<void>
  readonly isWatched: () => boolean
}

/**
 * Decides when to upload a camera's last picture: each hour, and within a minute after the last viewer has left.
 */
export class LastPictureUploads {
  readonly #options: LastPictureUploadsOptions
  #timer: NodeJS.Timeout | undefined
  #checksSinceUpload = 0
  #wasWatched = false

  constructor(options: LastPictureUploadsOptions) {
    this.#options = options
  }

  /** Uploads the picture now and from now on. The camera must already be registered with the provider. */
  start(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS)
    return this.#upload()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Uploads the picture now if uploads have started. Called when the camera becomes live or stops sending. */
  uploadIfStarted(): void {
    if (this.#timer) void this.#upload()
  }

  #check(): void {
    const isWatched = this.#options.isWatched()
    this.#checksSinceUpload += 1
    if ((this.#wasWatched && !isWatched) || this.#checksSinceUpload >= CHECKS_PER_UPLOAD) void this.#upload()
    this.#wasWatched = isWatched
  }

  #upload(): Promise<void> {
    this.#checksSinceUpload = 0
    return this.#options.store()
  }
}
