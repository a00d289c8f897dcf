import { ANALYTICS_API_KEY, AUTOMATIC_EVENTS } from '../../contract/telemetry/analytics-events.ts'
import { MINUTE_MS } from '../../contract/time-units.ts'
import type { BrowserIds, EventProps, EventSource, SourcePorts } from './analytics.ts'
import { observeClicks } from './click-events.ts'
import { observeFailedRequests } from './failed-requests.ts'
import { observeWebVitals } from './web-vitals.ts'

/** Time without events after which the next event starts a new session. */
const SESSION_TIMEOUT_MS = 30 * MINUTE_MS
const CONFIG_TIMEOUT_MS = 10_000

/**
 * The portal's own source of events: sessions, page views, clicks without effect, failed requests and Web Vitals. The
 * names are those of the library, because the sink accepts events of both.
 */
export class PageEvents implements EventSource {
  readonly #ports: SourcePorts
  #userId: string | null = null
  readonly #observers: (() => void)[] = []

  constructor(ports: SourcePorts) {
    this.#ports = ports
  }

  start(userId: string | undefined, browser: BrowserIds): Promise<void> {
    this.#userId = userId ?? null
    this.#ports.page.storeBrowser(this.#userId, browser)
    this.track(AUTOMATIC_EVENTS.pageViewed, {})
    const track = (type: string, props: EventProps) => this.track(type, props)
    this.#observers.push(observeClicks(track), observeFailedRequests(track), observeWebVitals(track))
    void this.#applyRemoteConfig()
    return Promise.resolve()
  }

  track(type: string, props: EventProps, time?: number): void {
    if (!this.#ports.canContinue()) return
    const now = Date.now()
    const browser = this.#continueSession(now)
    this.#ports.page.storeBrowser(this.#userId, { ...browser, lastEventTime: now })
    this.#record(browser, type, props, time ?? now)
  }

  settle(): Promise<void> {
    return Promise.resolve()
  }

  stop(): void {
    for (const stopObserver of this.#observers.splice(0)) stopObserver()
  }

  /** Returns the ids of the current session. Records the end of an expired session and the start of a new one. */
  #continueSession(now: number): BrowserIds {
    const browser = this.#ports.page.browserFor(this.#userId, now)
    const { lastEventTime } = browser
    if (lastEventTime !== null && now - lastEventTime <= SESSION_TIMEOUT_MS) return browser
    if (lastEventTime !== null) this.#record(browser, AUTOMATIC_EVENTS.sessionEnd, {}, lastEventTime)
    const next = { ...browser, sessionId: now }
    this.#record(next, AUTOMATIC_EVENTS.sessionStart, {}, now)
    return next
  }

  #record({ deviceId, sessionId }: BrowserIds, type: string, props: EventProps, time: number): void {
    const { build, route } = this.#ports.page
    this.#ports.record({
      event_type: type,
      insert_id: crypto.randomUUID(),
      time,
      session_id: sessionId,
      device_id: deviceId,
      user_id: this.#userId,
      app_version: build,
      event_properties: { ...props, route },
    })
  }

  /**
   * Fetches the remote configuration (ANALYTICS-09). `autocapture: false` ends the observation of clicks, requests and
   * Web Vitals.
   */
  async #applyRemoteConfig(): Promise<void> {
    const { origin, fetch } = this.#ports.page
    try {
      const signal = AbortSignal.timeout(CONFIG_TIMEOUT_MS)
      const response = await fetch(`${origin}/t/config/${ANALYTICS_API_KEY}?config_group=browser`, { signal })
      const body = (await response.json()) as {
        configs?: { analyticsSDK?: { browserSDK?: { autocapture?: unknown } } }
      } | null
      if (body?.configs?.analyticsSDK?.browserSDK?.autocapture === false) this.stop()
    } catch {
      // Without a configuration, the page measures as usual.
    }
  }
}
