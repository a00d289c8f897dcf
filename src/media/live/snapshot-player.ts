const EVERY_MS = 1000
/** Time without a new snapshot after which snapshots count as failed, ms. */
const LATE_MS = 8000

/** URL of the newest snapshot, and when it was taken (ms UTC by the provider's clock; null: none yet). */
export interface Snapshot {
  takenAt: number | null
  address: string
}

export interface SnapshotPorts {
  /** Requests a snapshot; null if the request failed. */
  ask(): Promise<Snapshot | null>
  draw(picture: HTMLImageElement): void
  /** Called when the first snapshot taken since the start is on screen. */
  shown(width: number, height: number): void
  /** Called when new snapshots no longer arrive; polling has stopped. */
  lost(): void
}

/** Shows one new snapshot per second, for browsers and networks that cannot play video. */
export class SnapshotPlayer {
  isShowing = false
  private readonly ports: SnapshotPorts
  private timer: ReturnType<typeof setTimeout> | undefined
  /** Capture time of the newest known snapshot; undefined before the first response. */
  private newest: number | null | undefined
  private changedAt = performance.now()
  private stopped = false

  constructor(ports: SnapshotPorts) {
    this.ports = ports
    void this.pollSnapshot()
  }

  stop(): void {
    this.stopped = true
    this.isShowing = false
    clearTimeout(this.timer)
  }

  private async pollSnapshot(): Promise<void> {
    const began = performance.now()
    const snapshot = await this.ports.ask()
    // The first response contains an earlier snapshot. Only later ones are live.
    const isNew = snapshot !== null && this.newest !== undefined && snapshot.takenAt !== this.newest
    if (snapshot) this.newest = snapshot.takenAt
    if (snapshot && isNew) await this.show(snapshot)
    if (this.stopped) return
    const now = performance.now()
    if (now - this.changedAt > LATE_MS) {
      this.stop()
      return this.ports.lost()
    }
    this.timer = setTimeout(() => void this.pollSnapshot(), Math.max(0, EVERY_MS - (now - began)))
  }

  private async show({ address, takenAt }: Snapshot): Promise<void> {
    const picture = new Image()
    picture.src = `${address}?at=${takenAt}`
    try {
      await picture.decode()
    } catch {
      return
    }
    if (this.stopped) return
    this.changedAt = performance.now()
    this.ports.draw(picture)
    if (this.isShowing) return
    this.isShowing = true
    this.ports.shown(picture.naturalWidth, picture.naturalHeight)
  }
}
