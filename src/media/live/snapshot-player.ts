const POLL_INTERVAL_MS = 1000
/** Time without a new snapshot after which snapshots count as failed, ms. */
const SNAPSHOT_TIMEOUT_MS = 8000

/** URL of the newest snapshot, and when it was taken (ms UTC by the provider's clock; null: none yet). */
export interface Snapshot {
  takenAt: number | null
  url: string
}

export interface SnapshotPorts {
  /** Requests a snapshot; null if the request failed. */
  requestSnapshot(): Promise<Snapshot | null>
  drawSnapshot(picture: HTMLImageElement): void
  /** Called when the first live snapshot, taken after the start, is on the screen. */
  onFirstSnapshot(width: number, height: number): void
  /** Called when new snapshots no longer arrive; polling has stopped. */
  onLost(): void
}

/** Shows one new snapshot per second, for browsers and networks that cannot play video. */
export class SnapshotPlayer {
  isShowing = false
  readonly #ports: SnapshotPorts
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Capture time of the newest known snapshot; undefined before the first response. */
  #newestTakenAt: number | null | undefined
  #changedAt = performance.now()
  #isStopped = false

  constructor(ports: SnapshotPorts) {
    this.#ports = ports
    void this.#pollSnapshot()
  }

  stop(): void {
    this.#isStopped = true
    this.isShowing = false
    clearTimeout(this.#timer)
  }

  async #pollSnapshot(): Promise<void> {
    const startedAt = performance.now()
    const snapshot = await this.#ports.requestSnapshot()
    // The first response contains an earlier snapshot. Only later ones are live.
    const isNew = snapshot !== null && this.#newestTakenAt !== undefined && snapshot.takenAt !== this.#newestTakenAt
    if (snapshot) this.#newestTakenAt = snapshot.takenAt
    if (snapshot && isNew) await this.#showSnapshot(snapshot)
    if (this.#isStopped) return
    const now = performance.now()
    if (now - this.#changedAt > SNAPSHOT_TIMEOUT_MS) {
      this.stop()
      return this.#ports.onLost()
    }
    this.#timer = setTimeout(() => void this.#pollSnapshot(), Math.max(0, POLL_INTERVAL_MS - (now - startedAt)))
  }

  async #showSnapshot({ url, takenAt }: Snapshot): Promise<void> {
    const picture = new Image()
    picture.src = `${url}?at=${takenAt}`
    try {
      await picture.decode()
    } catch {
      return
    }
    if (this.#isStopped) return
    this.#changedAt = performance.now()
    this.#ports.drawSnapshot(picture)
    if (this.isShowing) return
    this.isShowing = true
    this.#ports.onFirstSnapshot(picture.naturalWidth, picture.naturalHeight)
  }
}
