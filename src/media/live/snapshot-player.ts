const EVERY_MS = 1000
/** Without a new picture for this long, ms, there is none. */
const LATE_MS = 8000

/** Where the newest picture is, and when it was taken (ms UTC by the provider's clock; null: there is none yet). */
export interface Snapshot {
  takenAt: number | null
  address: string
}

export interface SnapshotPorts {
  /** Asks for a new picture; null when nobody answers. */
  ask(): Promise<Snapshot | null>
  draw(picture: HTMLImageElement): void
  /** The first picture, taken since somebody looks, is on the screen. */
  shown(width: number, height: number): void
  /** No new pictures come; nothing runs any more. */
  lost(): void
}

/** One picture a second, each newer than the last, for browsers and networks that play nothing. */
export class Snapshots {
  /** Whether a picture is on the screen. */
  isShowing = false
  private readonly ports: SnapshotPorts
  private timer: ReturnType<typeof setTimeout> | undefined
  /** When the newest known picture was taken; undefined before the first answer. */
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
    // The first answer is about a picture from before; only what comes after it is live.
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
