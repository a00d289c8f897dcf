/** Time that a battery camera stays awake after its last viewer leaves, ms. */
export const SLEEP_AFTER_MS = 60_000
const MIN_WAKE_MS = 1500
const MAX_WAKE_MS = 3000

export interface BatteryEvents {
  onWaking(): void
  onAwake(): void
  onAsleep(): void
}

/**
 * Returns the time that a simulated battery camera needs to wake, ms. The time depends only on the device id, so that
 * it is constant for each camera.
 */
export function getWakeDurationMs(deviceId: string): number {
  const seed = [...deviceId].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7)
  return MIN_WAKE_MS + ((MAX_WAKE_MS - MIN_WAKE_MS) * seed) / 9973
}

/**
 * Simulates the sleep of a battery camera. The camera wakes on request, and falls asleep one minute after its last
 * viewer leaves.
 */
export class BatterySleep {
  readonly #events: BatteryEvents
  readonly #wakeMs: number
  #timer: NodeJS.Timeout | undefined
  #state: 'asleep' | 'waking' | 'awake' = 'asleep'
  #isWatched = false

  constructor(events: BatteryEvents, wakeMs: number) {
    this.#events = events
    this.#wakeMs = wakeMs
  }

  wake(): void {
    if (this.#state === 'awake' && !this.#isWatched) this.#scheduleSleep()
    if (this.#state !== 'asleep') return
    this.#state = 'waking'
    this.#events.onWaking()
    this.#timer = setTimeout(() => {
      this.#state = 'awake'
      this.#events.onAwake()
      if (!this.#isWatched) this.#scheduleSleep()
    }, this.#wakeMs)
  }

  setWatched(isWatched: boolean): void {
    this.#isWatched = isWatched
    if (this.#state !== 'awake') return
    if (isWatched) clearTimeout(this.#timer)
    else this.#scheduleSleep()
  }

  /** Puts the camera to sleep without calling an event handler, because the camera is switched off or shuts down. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#state = 'asleep'
    this.#isWatched = false
  }

  #scheduleSleep(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#state = 'asleep'
      this.#events.onAsleep()
    }, SLEEP_AFTER_MS)
  }
}
