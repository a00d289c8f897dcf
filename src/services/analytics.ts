import { AmplitudeBrowser, type Types } from '@amplitude/analytics-browser'
import { ANALYTICS_API_KEY, type SentEvent } from '../../contract/telemetry/analytics-events.ts'
import { analyticsBatch } from '../../contract/telemetry/telemetry-calls.ts'
import { reduceEvent, TEST_TRACKING_MS } from './analytics-rules.ts'

/** Dependencies of analytics on its page. Times in ms UTC. */
export interface AnalyticsPorts {
  readonly origin: string
  readonly build: string
  /** True if tracking ends automatically after an hour (OPEN-103). */
  readonly testTracking: boolean
  /** Route pattern of the page, never its URL. */
  readonly route: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Returns the end of test tracking in this browser; null if it has never started. */
  readonly readDue: () => number | null
  /** Stores the time when test tracking ends. Returns true if the stored value outlives the page. */
  readonly writeDue: (due: number) => boolean
  readonly optOut: () => void
  /**
   * Returns true while this page may be measured for the account that it started with. Analytics checks this before it
   * sends or stores anything.
   */
  readonly canContinue: () => boolean
  /**
   * Returns this browser's ids for the account, or for a signed-out user if `userId` is null. Never returns ids that
   * were used with another account.
   */
  readonly browserFor: (userId: string | null, now: number) => BrowserIds
  /** Resolves when the page is idle. */
  readonly giveWay: () => Promise<void>
  readonly sent: (events: readonly SentEvent[]) => void
}

type PortalPlugin = Types.BeforePlugin<Types.BrowserClient, Types.BrowserConfig>
type Transport = Types.BrowserConfig['transportProvider']
type TransportResponse = Awaited<ReturnType<Transport['send']>>
type Props = Readonly<Record<string, string | number>>
type LibraryStorage<T> = Pick<Types.Storage<T>, 'isEnabled' | 'get' | 'getRaw' | 'set' | 'remove' | 'reset'>

/** Ids of the browser and its session: a random id, and the start time of the session. */
interface BrowserIds {
  readonly deviceId: string
  readonly sessionId: number
}

export const SILENT_LOGGER = {
  enable() {},
  disable() {},
  log() {},
  warn() {},
  error() {},
  debug() {},
  info() {},
  verbose() {},
}

/** Name of a plugin of the library. Events are complete with this plugin and the plugins that load before it. */
const LAST_NEEDED_PLUGIN = '@amplitude/plugin-context-browser'
const FLUSH_INTERVAL_MS = 10_000
const FLUSH_QUEUE_SIZE = 50
const SUCCESS_BODY = { eventsIngested: 0, payloadSizeBytes: 0, serverUploadTime: 0 }

/**
 * Product analytics of one page (ANALYTICS-02 to ANALYTICS-09): the library's autocapture, the page's own events, and
 * one sink at the portal's own origin. If the sink fails, this page sends no further events and reports no error.
 */
export class Analytics {
  readonly #client = new AmplitudeBrowser()
  readonly #ports: AnalyticsPorts
  #startPromise: Promise<void> | null = null
  #optOutTimer: ReturnType<typeof setTimeout> | null = null
  #isSinkDead = false
  #isStopped = false

  constructor(ports: AnalyticsPorts) {
    this.#ports = ports
  }

  /** Starts once, even if called again (ANALYTICS-04). Omit `userId` for a signed-out user. */
  start(userId?: string): Promise<void> {
    this.#startPromise ??= this.#startOnce(userId)
    return this.#startPromise
  }

  /** Records an event; `time` in ms UTC, now by default. Returns false if analytics no longer sends events. */
  track(type: string, props: Props = {}, time?: number): boolean {
    this.#client.track(type, { ...props }, time === undefined ? {} : { time })
    return !this.#isSinkDead && !this.#isStopped
  }

  flush(): void {
    this.#client.flush()
  }

  /** Stops sending and storing; queued events are discarded. */
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#client.setOptOut(true)
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

  get deviceId(): string | undefined {
    return this.#client.getDeviceId()
  }

  /**
   * Yields to the page after `LAST_NEEDED_PLUGIN` and after each later plugin, because the library starts a dozen
   * plugins in one task.
   */
  #yieldBetweenPlugins(): void {
    const add = this.#client.add.bind(this.#client)
    let isLastNeededAdded = false
    this.#client.add = (part) => {
      const adding = add(part)
      isLastNeededAdded ||= part.name === LAST_NEEDED_PLUGIN
      return isLastNeededAdded ? { ...adding, promise: adding.promise.then(() => this.#ports.giveWay()) } : adding
    }
  }

  async #startOnce(userId?: string): Promise<void> {
    this.#yieldBetweenPlugins()
    this.#client.add(this.#createPortalPlugin())
    // Filters before the library queues the event in the browser's storage.
    this.#client.add({
      name: 'portal-kept',
      type: 'enrichment',
      execute: (event) => Promise.resolve(toSentEvent(event)),
    })
    const browser = this.#ports.browserFor(userId ?? null, Date.now())
    await this.#client.init(ANALYTICS_API_KEY, userId, buildOptions(this.#ports, browser)).promise
    if (this.canContinue && this.#ports.testTracking) this.#scheduleOptOut()
  }

  /**
   * Opts this browser out after one hour, or after the rest of an hour that an earlier page started (ANALYTICS-06,
   * ANALYTICS-07).
   */
  #scheduleOptOut(): void {
    const now = Date.now()
    // The stored time may come from a clock that was ahead. It must not extend the hour.
    const optOutAt = Math.min(this.#ports.readDue() ?? Infinity, now + TEST_TRACKING_MS)
    // Without storage, the hour would start again on every page, so do not measure at all.
    if (!this.#ports.writeDue(optOutAt)) return this.stop()
    this.#optOutTimer = setTimeout(() => {
      this.#ports.optOut()
      this.stop()
    }, optOutAt - now)
  }

  /**
   * Plugin that runs before the others: adds the route to each event, replaces the library's transport with the
   * portal's, and guards its storage, so that events in flight cannot restore data that a sign-out has cleared.
   */
  #createPortalPlugin(): PortalPlugin {
    return {
      name: 'portal',
      type: 'before',
      setup: (config) => {
        config.transportProvider = { send: (url, payload) => this.#send(url, payload) }
        config.cookieStorage = guardStorage(config.cookieStorage, () => this.canContinue)
        if (config.storageProvider)
          config.storageProvider = guardStorage(config.storageProvider, () => this.canContinue)
        return this.#ports.giveWay()
      },
      execute: (event) => {
        event.event_properties = { ...(event.event_properties as object | undefined), route: this.#ports.route }
        return Promise.resolve(event)
      },
    }
  }

  /**
   * Sends the events. Always returns success: otherwise, the library would resend the events that a dead sink did not
   * accept.
   */
  async #send(url: string, payload: { events: readonly unknown[] }): Promise<TransportResponse> {
    const events = payload.events.flatMap((event) => reduceEvent(event as Record<string, unknown>) ?? [])
    if (events.length > 0 && !this.#isSinkDead && this.canContinue) {
      this.#isSinkDead = !(await this.#post(url, JSON.stringify({ api_key: ANALYTICS_API_KEY, events })))
      if (!this.#isSinkDead && this.canContinue) this.#ports.sent(events)
    }
    return { status: 'success', statusCode: 200, body: SUCCESS_BODY } as unknown as TransportResponse
  }

  async #post(url: string, body: string): Promise<boolean> {
    const headers = { 'content-type': 'application/json' }
    const response = await this.#ports.fetch(url, { method: 'POST', headers, body, keepalive: true }).catch(() => null)
    return response?.ok === true
  }
}

type LibraryEvent = Parameters<NonNullable<Types.EnrichmentPlugin['execute']>>[0]

/** Converts an event for sending. The library's type requires more fields, but the library works without them. */
const toSentEvent = (event: LibraryEvent) => reduceEvent({ ...event }) as LibraryEvent | null

/** Wraps a storage of the library. While `isOpen` returns false, nothing is read or written; deletions still apply. */
function guardStorage<T>(storage: LibraryStorage<T>, isOpen: () => boolean): LibraryStorage<T> {
  return {
    isEnabled: () => storage.isEnabled(),
    get: (key) => (isOpen() ? storage.get(key) : Promise.resolve(undefined)),
    getRaw: (key) => (isOpen() ? storage.getRaw(key) : Promise.resolve(undefined)),
    set: (key, value) => (isOpen() ? storage.set(key, value) : Promise.resolve()),
    remove: (key) => storage.remove(key),
    reset: () => storage.reset(),
  }
}

/**
 * Options of the library: the portal's own sinks, no cookies, no element text, no log output. Ids and opt-out are set
 * explicitly: otherwise the library reads ids from the page URL (`?deviceId=`) and an opt-out from its own storage.
 */
function buildOptions({ origin, build }: AnalyticsPorts, browser: BrowserIds): Types.BrowserOptions {
  return {
    ...browser,
    optOut: false,
    serverUrl: origin + analyticsBatch.path,
    remoteConfig: { fetchRemoteConfig: true, serverUrl: `${origin}/t/config` },
    appVersion: build,
    enableDiagnostics: false,
    identityStorage: 'localStorage',
    loggerProvider: SILENT_LOGGER,
    cookieOptions: { upgrade: false },
    trackingOptions: { ipAddress: false, language: false, platform: false },
    flushIntervalMillis: FLUSH_INTERVAL_MS,
    flushQueueSize: FLUSH_QUEUE_SIZE,
    flushMaxRetries: 1,
    autocapture: {
      attribution: false,
      fileDownloads: false,
      formInteractions: false,
      elementInteractions: false,
      pageViews: { trackOn: createFirstCallFilter() },
      sessions: true,
      webVitals: true,
      pageUrlEnrichment: false,
      frustrationInteractions: { deadClicks: true, rageClicks: true },
      // Excludes requests to the sinks. Tracked statuses are the library's default, 500 to 599.
      networkTracking: { captureRules: [{ urls: [/^(?!(https?:\/\/[^/]+)?\/t\/)/] }] },
    },
  }
}

/**
 * Returns a function that returns true only on its first call. A list filter also changes the URL, but this is not a
 * page view.
 */
function createFirstCallFilter(): () => boolean {
  let isFirst = true
  return () => isFirst && !(isFirst = false)
}
