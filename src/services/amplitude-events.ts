import { AmplitudeBrowser, type Types } from '@amplitude/analytics-browser'
import { ANALYTICS_API_KEY } from '../../contract/telemetry/analytics-events.ts'
import { analyticsBatch } from '../../contract/telemetry/telemetry-calls.ts'
import type { BrowserIds, EventProps, EventSource, SourcePorts } from './analytics.ts'

type PortalPlugin = Types.BeforePlugin<Types.BrowserClient, Types.BrowserConfig>
type LibraryStorage<T> = Pick<Types.Storage<T>, 'isEnabled' | 'get' | 'getRaw' | 'set' | 'remove' | 'reset'>

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

/** Storage in which the library would queue events. It stays empty, because the portal's sender has its own queue. */
const NO_QUEUE: Types.Storage<Types.Event[]> = {
  isEnabled: () => Promise.resolve(false),
  get: () => Promise.resolve(undefined),
  getRaw: () => Promise.resolve(undefined),
  set: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  reset: () => Promise.resolve(),
}

/** Name of a plugin of the library. Events are complete with this plugin and the plugins that load before it. */
const LAST_NEEDED_PLUGIN = '@amplitude/plugin-context-browser'

/** The library @amplitude/analytics-browser as the source of a page's events. It sends and queues no events. */
export class AmplitudeEvents implements EventSource {
  readonly #client = new AmplitudeBrowser()
  readonly #ports: SourcePorts

  constructor(ports: SourcePorts) {
    this.#ports = ports
  }

  async start(userId: string | undefined, browser: BrowserIds): Promise<void> {
    this.#yieldBetweenPlugins()
    this.#client.add(this.#createPortalPlugin())
    this.#client.add({
      name: 'portal-record',
      type: 'enrichment',
      execute: (event) => {
        this.#ports.record({ ...event })
        return Promise.resolve(null)
      },
    })
    await this.#client.init(ANALYTICS_API_KEY, userId, buildOptions(this.#ports, browser)).promise
  }

  track(type: string, props: EventProps, time?: number): void {
    this.#client.track(type, { ...props }, time === undefined ? {} : { time })
  }

  async settle(): Promise<void> {
    await this.#client.flush().promise
  }

  stop(): void {
    this.#client.setOptOut(true)
  }

  /**
   * Yields to the page after `LAST_NEEDED_PLUGIN` and after each later plugin, because the library starts a dozen
   * plugins in one task.
   */
  #yieldBetweenPlugins(): void {
    const add = this.#client.add.bind(this.#client)
    const { giveWay } = this.#ports.page
    let isLastNeededAdded = false
    this.#client.add = (part) => {
      const adding = add(part)
      isLastNeededAdded ||= part.name === LAST_NEEDED_PLUGIN
      return isLastNeededAdded ? { ...adding, promise: adding.promise.then(giveWay) } : adding
    }
  }

  /**
   * Plugin that runs before the others: adds the route to each event, and guards the library's storage, so that events
   * in flight cannot restore data that a sign-out has cleared.
   */
  #createPortalPlugin(): PortalPlugin {
    const { page } = this.#ports
    return {
      name: 'portal',
      type: 'before',
      setup: (config) => {
        config.cookieStorage = guardStorage(config.cookieStorage, () => this.#ports.canContinue())
        return page.giveWay()
      },
      execute: (event) => {
        event.event_properties = { ...(event.event_properties as object | undefined), route: page.route }
        return Promise.resolve(event)
      },
    }
  }
}

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
function buildOptions(
  { page: { origin, build } }: SourcePorts,
  { deviceId, sessionId }: BrowserIds,
): Types.BrowserOptions {
  return {
    deviceId,
    sessionId,
    optOut: false,
    serverUrl: origin + analyticsBatch.path,
    remoteConfig: { fetchRemoteConfig: true, serverUrl: `${origin}/t/config` },
    appVersion: build,
    enableDiagnostics: false,
    identityStorage: 'localStorage',
    loggerProvider: SILENT_LOGGER,
    cookieOptions: { upgrade: false },
    trackingOptions: { ipAddress: false, language: false, platform: false },
    storageProvider: NO_QUEUE,
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
