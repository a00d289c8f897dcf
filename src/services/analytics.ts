import type { SentEvent } from '../../contract/telemetry/analytics-events.ts'
import { reduceEvent, TEST_TRACKING_MS } from './analytics-rules.ts'
import { EventSender, type SenderPorts } from './event-sender.ts'

/** Dependencies of analytics on its page. Times in ms UTC. */
export interface AnalyticsPorts extends SenderPorts {
  readonly build: string
  /** True if tracking ends automatically after an hour (OPEN-103). */
  readonly testTracking: boolean
  /** Route pattern of the page, never its URL. */
  readonly route: string
  /** Returns the end of test tracking in this browser; null if it has never started. */
  readonly readDue: () => number | null
  /** Stores the time when test tracking ends. Returns true if the stored value outlives the page. */
  readonly writeDue: (due: number) => boolean
  readonly optOut: () => void
  /**
   * Returns this browser's ids for the account, or for a signed-out user if `userId` is null. Never returns ids that
   * were used with another account.
   */
  readonly browserFor: (userId: string | null, now: number) => BrowserIds
  readonly storeBrowser: (userId: string | null, browser: BrowserIds) => void
  /** Resolves when the page is idle. */
  readonly giveWay: () => Promise<void>
}

/** Ids of the browser and its session. Times in ms UTC. */
export interface BrowserIds {
  readonly deviceId: string
  /** Start of the session. */
  readonly sessionId: number
  /** Time of the session's last event; null for a new session. */
  readonly lastEventTime: number | null
}

export type EventProps = Readonly<Record<string, unknown>>

/** Dependencies of an event source. `record`: passes a complete event on; properties that are not sent may remain. */
export interface SourcePorts {
  readonly page: AnalyticsPorts
  readonly canContinue: () => boolean
  readonly record: (event: EventProps) => void
}

/**
 * Creates the events of a page: its own source (page-events.ts), or the library that the operator chose
 * (amplitude-events.ts).
 */
export interface EventSource {
  readonly start: (userId: string | undefined, browser: BrowserIds) => Promise<void>
  /** Creates an event. `time` in ms UTC, now by default. */
  readonly track: (type: string, props: EventProps, time?: number) => void
  /** Resolves when all events so far have been recorded. */
  readonly settle: () => Promise<void>
  readonly stop: () => void
}

/**
 * Product analytics of one page (ANALYTICS-02 to ANALYTICS-09): events of a source, and a sender to one sink at the
 * portal's own origin. Failures never affect the page.
 */
export class Analytics {
  readonly #ports: AnalyticsPorts
  readonly #source: EventSource
  readonly #sender: EventSender
  #startPromise: Promise<void> | null = null
  #optOutTimer: ReturnType<typeof setTimeout> | null = null
  #deviceId = ''
  #isStopped = false

  constructor(ports: AnalyticsPorts, createSource: (ports: SourcePorts) => EventSource) {
    this.#ports = ports
    this.#sender = new EventSender({ ...ports, canContinue: () => this.canContinue })
    this.#source = createSource({
      page: ports,
      canContinue: () => this.canContinue,
      record: (event) => this.#record(reduceEvent(event)),
    })
  }

  /** Starts once, even if called again (ANALYTICS-04). Omit `userId` for a signed-out user. */
  start(userId?: string): Promise<void> {
    this.#startPromise ??= this.#startOnce(userId)
    return this.#startPromise
  }

  /** Records an event; `time` in ms UTC, now by default. */
  track(type: string, props: EventProps = {}, time?: number): void {
    if (this.canContinue) this.#source.track(type, props, time)
  }

  /** Sends the events of this page immediately, because the page may end. */
  async leave(): Promise<void> {
    await this.#source.settle()
    this.#sender.sendOwn()
  }

  /** Stops sending and storing. */
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#source.stop()
    this.#sender.stop()
    removeEventListener('online', this.#resume)
    if (this.#optOutTimer !== null) clearTimeout(this.#optOutTimer)
    this.#optOutTimer = null
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /**
   * True if analytics may continue; otherwise, stops analytics. A page restored from the back/forward cache may have
   * missed an opt-out.
   */
  get canContinue(): boolean {
    if (!this.#isStopped && !this.#ports.canContinue()) this.stop()
    return !this.#isStopped
  }

  get deviceId(): string {
    return this.#deviceId
  }

  readonly #resume = (): void => this.#sender.resume()

  async #startOnce(userId?: string): Promise<void> {
    await this.#ports.giveWay()
    // The user may have opted out meanwhile.
    if (!this.canContinue) return
    // Without storage, the hour would start again on every page, so do not measure at all.
    if (this.#ports.testTracking && !this.#scheduleOptOut()) return this.stop()
    const browser = this.#ports.browserFor(userId ?? null, Date.now())
    this.#deviceId = browser.deviceId
    addEventListener('online', this.#resume)
    // Sends what earlier pages could not send. This page's own events follow in batches.
    void this.#sender.flush()
    await this.#source.start(userId, browser)
  }

  /**
   * Opts this browser out after one hour, or after the rest of an hour that an earlier page started (ANALYTICS-06,
   * ANALYTICS-07). Returns true if the browser has stored the end of the hour.
   */
  #scheduleOptOut(): boolean {
    const now = Date.now()
    // The stored time may come from a clock that was ahead. It must not extend the hour.
    const optOutAt = Math.min(this.#ports.readDue() ?? Infinity, now + TEST_TRACKING_MS)
    this.#optOutTimer = setTimeout(() => {
      this.#ports.optOut()
      this.stop()
    }, optOutAt - now)
    return this.#ports.writeDue(optOutAt)
  }

  #record(event: SentEvent | null): void {
    if (event !== null) this.#sender.add(event)
  }
}
