/** Time that a battery camera stays awake after its last viewer leaves, ms. */
export const SLEEP_AFTER_MS = 60_000
const WAKE_FROM_MS = 1500
const WAKE_TO_MS = 3000

export interface BatteryEvents {
  waking(): void
  awake(): void
  asleep(): void
}

/** Returns the wake time in ms, derived from the device id so that it is constant for one camera. */
export function wakeTime(deviceId: string): number {
  const seed = [...deviceId].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7)
  return WAKE_FROM_MS + ((WAKE_TO_MS - WAKE_FROM_MS) * seed) / 9973
}

/** Sleep state of a battery camera: wakes on request and sleeps one minute after its last viewer leaves. */
export class Battery {
  private readonly events: BatteryEvents
  private readonly wakeMs: number
  private timer: NodeJS.Timeout | undefined
  private state: 'asleep' | 'waking' | 'awake' = 'asleep'
  private watched = false

  constructor(events: BatteryEvents, wakeMs: number) {
    this.events = events
    this.wakeMs = wakeMs
  }

  wake(): void {
    if (this.state === 'awake' && !this.watched) this.sleepLater()
    if (this.state !== 'asleep') return
    this.state = 'waking'
    this.events.waking()
    this.timer = setTimeout(() => {
      this.state = 'awake'
      this.events.awake()
      if (!this.watched) this.sleepLater()
    }, this.wakeMs)
  }

  watch(watched: boolean): void {
    this.watched = watched
    if (this.state !== 'awake') return
    if (watched) clearTimeout(this.timer)
    else this.sleepLater()
  }

  /** Puts the camera to sleep without calling an event handler, because the camera is switched off or shuts down. */
  stop(): void {
    clearTimeout(this.timer)
    this.state = 'asleep'
    this.watched = false
  }

  private sleepLater(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.state = 'asleep'
      this.events.asleep()
    }, SLEEP_AFTER_MS)
  }
}
