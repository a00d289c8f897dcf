import { AmplitudeBrowser, type Types } from '@amplitude/analytics-browser'
import { MEASURE_KEY, type SentEvent } from '../../contract/telemetry/analytics-events.ts'
import { analyticsBatch } from '../../contract/telemetry/telemetry-calls.ts'
import { sentEvent, TEST_TRACKING_MS } from './analytics-rules.ts'

/** What analytics needs of its page. Times in ms UTC. */
export interface AnalyticsPorts {
  /** Origin of the sinks. */
  readonly origin: string
  readonly build: string
  /** Whether measuring ends by itself after an hour (OPEN-103). */
  readonly testTracking: boolean
  /** Pattern of the page, never its address. */
  readonly route: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** When test tracking ends in this browser; null where it has never begun. */
  readonly readDue: () => number | null
  /** Answers whether it outlives the page. */
  readonly writeDue: (due: number) => boolean
  /** Remembers that nothing is measured in this browser any more. */
  readonly optOut: () => void
  /** Whether this page may still be measured, for the one it began with. Asked before anything is sent or kept. */
  readonly goesOn: () => boolean
  /** The browser to begin with, for this account or nobody, without what is another's. */
  readonly browserFor: (userId: string | null, now: number) => Browser
  /** Resolves once the page has nothing better to do. */
  readonly giveWay: () => Promise<void>
  /** Hears what was sent. */
  readonly sent: (events: readonly SentEvent[]) => void
}

type OwnPart = Types.BeforePlugin<Types.BrowserClient, Types.BrowserConfig>
/** What the library calls the sink with, and what it is answered. */
type Transport = Types.BrowserConfig['transportProvider']
type Answer = Awaited<ReturnType<Transport['send']>>
type Props = Readonly<Record<string, string | number>>
type Store<T> = Pick<Types.Storage<T>, 'isEnabled' | 'get' | 'getRaw' | 'set' | 'remove' | 'reset'>

/** A browser and its session: a random number, and when it began. */
interface Browser {
  readonly deviceId: string
  readonly sessionId: number
}

/** The library's line of words, which nobody reads. */
export const SILENT = {
  ...{ enable() {}, disable() {}, log() {}, warn() {}, error() {}, debug() {}, info() {}, verbose() {} },
}

/** The library's part behind its destination that completes events. */
const LAST_NEEDED = '@amplitude/plugin-context-browser'
const FLUSH_MS = 10_000
const FLUSH_AT = 50
const DONE = { eventsIngested: 0, payloadSizeBytes: 0, serverUploadTime: 0 }

/**
 * Product analytics of one page (ANALYTICS-02 to ANALYTICS-09): the library's own capture, what the page tells, and one sink at
 * the portal's own origin. Where that does not answer, nothing is sent again on this page, and nothing is said.
 */
export class Analytics {
  readonly #client = new AmplitudeBrowser()
  readonly #ports: AnalyticsPorts
  #started: Promise<void> | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  #isSinkDead = false
  #isStopped = false

  constructor(ports: AnalyticsPorts) {
    this.#ports = ports
  }

  /** Begins once, however often it is asked (ANALYTICS-04). `userId` is left out for somebody who is not signed in. */
  start(userId?: string): Promise<void> {
    this.#started ??= this.#begin(userId)
    return this.#started
  }

  /** Tells of something that has happened; `time` in ms UTC, now by default. False where nothing is told any more. */
  track(type: string, props: Props = {}, time?: number): boolean {
    this.#client.track(type, { ...props }, time === undefined ? {} : { time })
    return !this.#isSinkDead && !this.#isStopped
  }

  /** Sends what waits, as far as the browser still lets it. */
  flush(): void {
    this.#client.flush()
  }

  /** Sends and keeps nothing any more; what waits is dropped. */
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#client.setOptOut(true)
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Whether it may go on; where not it has stopped. A page that comes back from the browser's memory may have missed it. */
  get goesOn(): boolean {
    if (!this.#isStopped && !this.#ports.goesOn()) this.stop()
    return !this.#isStopped
  }

  get deviceId(): string | undefined {
    return this.#client.getDeviceId()
  }

  /**
   * The library begins with a dozen parts in one go; this page goes first between any two, once there are those without which an
   * event is lost: the session's first is under way by then.
   */
  #addSlowly(): void {
    const add = this.#client.add.bind(this.#client)
    let canWait = false
    this.#client.add = (part) => {
      const adding = add(part)
      canWait ||= part.name === LAST_NEEDED
      return canWait ? { ...adding, promise: adding.promise.then(() => this.#ports.giveWay()) } : adding
    }
  }

  async #begin(userId?: string): Promise<void> {
    this.#addSlowly()
    this.#client.add(this.#ownPart())
    // Before it is kept to be sent: what waits lies in the browser's storage.
    this.#client.add({
      name: 'portal-kept',
      type: 'enrichment',
      execute: (event) => Promise.resolve(toSentEvent(event)),
    })
    const browser = this.#ports.browserFor(userId ?? null, Date.now())
    await this.#client.init(MEASURE_KEY, userId, buildOptions(this.#ports, browser)).promise
    if (this.goesOn && this.#ports.testTracking) this.#armOptOut()
  }

  /** One timer of an hour, or of what is left of it, after which this browser is opted out (ANALYTICS-06, ANALYTICS-07). */
  #armOptOut(): void {
    const now = Date.now()
    // A clock that was ahead has not made the hour any longer.
    const due = Math.min(this.#ports.readDue() ?? Infinity, now + TEST_TRACKING_MS)
    // A browser that remembers nothing would be measured for ever.
    if (!this.#ports.writeDue(due)) return this.stop()
    this.#timer = setTimeout(() => {
      this.#ports.optOut()
      this.stop()
    }, due - now)
  }

  /**
   * Names the page in each event before it waits for the others, puts our own sink in the place of the library's, and holds its
   * storage: what was forgotten at a sign-out is not written again by what is still under way.
   */
  #ownPart(): OwnPart {
    return {
      name: 'portal',
      type: 'before',
      setup: (config) => {
        config.transportProvider = { send: (url, payload) => this.#send(url, payload) }
        config.cookieStorage = held(config.cookieStorage, () => this.goesOn)
        if (config.storageProvider) config.storageProvider = held(config.storageProvider, () => this.goesOn)
        return this.#ports.giveWay()
      },
      execute: (event) => {
        event.event_properties = { ...(event.event_properties as object | undefined), route: this.#ports.route }
        return Promise.resolve(event)
      },
    }
  }

  /** Answers success whatever has happened: the library would send again what a dead sink did not take. */
  async #send(url: string, payload: { events: readonly unknown[] }): Promise<Answer> {
    const events = payload.events.flatMap((event) => sentEvent(event as Record<string, unknown>) ?? [])
    if (events.length > 0 && !this.#isSinkDead && this.goesOn) {
      this.#isSinkDead = !(await this.#post(url, JSON.stringify({ api_key: MEASURE_KEY, events })))
      if (!this.#isSinkDead && this.goesOn) this.#ports.sent(events)
    }
    return { status: 'success', statusCode: 200, body: DONE } as unknown as Answer
  }

  async #post(url: string, body: string): Promise<boolean> {
    const headers = { 'content-type': 'application/json' }
    const answer = await this.#ports.fetch(url, { method: 'POST', headers, body, keepalive: true }).catch(() => null)
    return answer?.ok === true
  }
}

type LibraryEvent = Parameters<NonNullable<Types.EnrichmentPlugin['execute']>>[0]

/** The library asks for more than is kept of an event, and does with less. */
const toSentEvent = (event: LibraryEvent) => sentEvent({ ...event }) as LibraryEvent | null

/** A storage of the library that holds and gives nothing once `isOpen` says so. */
function held<T>(storage: Store<T>, isOpen: () => boolean): Store<T> {
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
 * What the library is set to: own sinks, no cookie, no text of elements, and our silence for its words. It would take ids from
 * the address of the page (`?deviceId=`), and an opt-out from what it has kept itself, did we not say them.
 */
function buildOptions({ origin, build }: AnalyticsPorts, browser: Browser): Types.BrowserOptions {
  return {
    ...{ ...browser, optOut: false },
    serverUrl: origin + analyticsBatch.path,
    remoteConfig: { fetchRemoteConfig: true, serverUrl: `${origin}/t/config` },
    ...{ appVersion: build, enableDiagnostics: false, identityStorage: 'localStorage', loggerProvider: SILENT },
    cookieOptions: { upgrade: false },
    trackingOptions: { ipAddress: false, language: false, platform: false },
    ...{ flushIntervalMillis: FLUSH_MS, flushQueueSize: FLUSH_AT, flushMaxRetries: 1 },
    autocapture: {
      ...{ attribution: false, fileDownloads: false, formInteractions: false, elementInteractions: false },
      ...{ pageViews: { trackOn: onlyFirst() }, sessions: true, webVitals: true, pageUrlEnrichment: false },
      frustrationInteractions: { deadClicks: true, rageClicks: true },
      // A sink that fails is not told of to itself; statuses are the library's own: 500 to 599.
      networkTracking: { captureRules: [{ urls: [/^(?!(https?:\/\/[^/]+)?\/t\/)/] }] },
    },
  }
}

/** Yes once: a filter that changes the address of a page shows no other page. */
function onlyFirst(): () => boolean {
  let isFirst = true
  return () => isFirst && !(isFirst = false)
}
