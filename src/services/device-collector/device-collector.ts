import { COLLECTOR_ID_FORMAT, FRAME_END_MESSAGE } from '../../../contract/telemetry/device-collector.ts'
import { CollectorCalls } from './collector-calls.ts'
import { storeDueTime, computeRunDelayMs } from './next-run.ts'
import { FirstPartyValue } from './first-party-value.ts'
import type { CollectorKeys, CollectorPorts } from './collector-ports.ts'
import {
  DEFAULT_CONFIG,
  readFrameMessage,
  validateConfig,
  type CollectorPageConfig,
  type CollectorSettings,
  type CollectorServerConfig,
} from './collector-rules.ts'

/** Time after which a run counts as ended if windows cannot exchange messages, ms. */
const FALLBACK_END_DELAY_MS = 3000
/** Time after which a run is abandoned if its frame has not reported the end of collecting, ms. */
const FRAME_TIMEOUT_MS = 30_000
/**
 * Delay from the start of a run to its retry if the run fails or does not end, ms. Longer than all timeouts of a run
 * together.
 */
const RETRY_DELAY_MS = 60_000
const DEFAULT_FIELD_NAME = 'sessionId'

/**
 * State of the collector. `off`: not prepared, or a required value is missing. `idle`: no run; a run passes through
 * `configuring`, `first-party` and `collecting`, then the state is `idle` again until the next run is due.
 */
export type CollectorState = 'off' | 'idle' | 'configuring' | 'first-party' | 'collecting'
export type CollectorEvent = 'collect-begin' | 'collect-end'

/** Device collector of one page. It runs in the background and shows nothing. */
export class DeviceCollector {
  readonly errors: string[] = []
  readonly #ports: CollectorPorts
  readonly #keys: CollectorKeys
  readonly #config: Partial<CollectorPageConfig> | null
  readonly #instanceId: string
  #settings: CollectorSettings | null = null
  #calls: CollectorCalls | null = null
  #currentState: CollectorState = 'off'
  #ttlMs = DEFAULT_CONFIG.ttlMs
  readonly #tasks = new Map<CollectorEvent, () => void>()
  #closeFrame: () => void = () => undefined
  #nextRunTimer: ReturnType<typeof setTimeout> | undefined

  constructor(config: Partial<CollectorPageConfig> | null, ports: CollectorPorts, keys: CollectorKeys) {
    this.#config = config
    this.#ports = ports
    this.#keys = keys
    this.#instanceId = ports.randomId()
    ports.onPageHide(() => this.#onPageLeave())
  }

  get state(): CollectorState {
    return this.#currentState
  }

  /**
   * Calls the task once, at the next `collect-begin` or `collect-end`. Replaces the previous task for that event. If
   * the host wants no data, a run fires both events without collecting. A failed run fires no `collect-end`.
   */
  on(event: CollectorEvent, task: () => void): void {
    this.#tasks.set(event, task)
  }

  /**
   * Runs immediately if a run is due for this session in this browser; otherwise, runs when it becomes due (OPEN-149).
   * Does nothing if a required value is missing.
   */
  async start(sessionID: string): Promise<void> {
    if (!this.prepare(sessionID)) return
    const waitMs = this.#getWaitMs()
    if (waitMs === 0) return this.run()
    this.#scheduleRun(waitMs)
  }

  /**
   * Switches to another session: deletes the stored id of the previous session, and starts a run, which reports the new
   * session to the host.
   */
  async newSession(sessionID: string): Promise<void> {
    this.#ports.tabStorage.remove(this.#keys.session)
    this.#stop()
    if (this.prepare(sessionID)) await this.run()
  }

  /** Starts a run now, and schedules the next one. Does nothing without a session or during another run. */
  async run(): Promise<void> {
    const settings = this.#settings
    const calls = this.#calls
    if (!settings || !calls || this.#currentState !== 'idle') return
    this.#currentState = 'configuring'
    // Sets a provisional due time; the end of the run sets the real one. If this page closes or the host does not
    // respond, one page per minute retries.
    this.#storeNextDue(RETRY_DELAY_MS)
    void this.#reportSession(settings, calls)
    const { ttlMs, collect, flags } = await this.#fetchConfiguration(calls)
    if (this.#calls !== calls) return
    this.#ttlMs = ttlMs
    if (!collect) return this.#skipCollecting()
    this.#currentState = 'first-party'
    const hasValue = await new FirstPartyValue(this.#ports, this.#keys).ensureValue(calls, (problem) =>
      this.#recordProblem(problem),
    )
    if (this.#calls !== calls) return
    if (hasValue) return this.#collect(calls.buildFrameUrl(flags), settings.origin)
    this.#recordProblem('Invalid/Missing First Party cookie')
    this.#currentState = 'idle'
  }

  /**
   * Adds a hidden field with the session id to a form. Records a problem if there is no such form or no session yet.
   */
  attach(formId: string, name: string = DEFAULT_FIELD_NAME): void {
    const form = typeof formId === 'string' && formId !== '' ? this.#ports.findForm(formId) : null
    if (!form || !this.#settings)
      return this.#recordProblem(`Couldn’t attach the session to form ${JSON.stringify(formId)}.`)
    const field = form.ownerDocument.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = this.#settings.sessionID
    form.append(field)
  }

  /** Sets the session without a run. Returns false and logs the reason if a value is missing. */
  prepare(sessionID: string): boolean {
    const settings = validateConfig(this.#config, sessionID)
    if (typeof settings === 'string') {
      this.#ports.debug(settings)
      return false
    }
    this.#settings = settings
    this.#calls = new CollectorCalls(settings, this.#instanceId, this.#ports.fetch)
    this.#currentState = 'idle'
    return true
  }

  async #reportSession({ sessionID }: CollectorSettings, calls: CollectorCalls): Promise<void> {
    const previous = this.#ports.tabStorage.read(this.#keys.session) ?? ''
    if (previous === sessionID) return
    const status = await calls.reportSession(COLLECTOR_ID_FORMAT.test(previous) ? previous : '').catch(() => 0)
    // A failed report is sent again by the next run.
    if (status !== 200 && status !== 201) return this.#recordProblem(`The session report failed with status ${status}.`)
    if (this.#calls === calls) this.#ports.tabStorage.write(this.#keys.session, sessionID)
  }

  async #fetchConfiguration(calls: CollectorCalls): Promise<CollectorServerConfig> {
    try {
      return await calls.fetchConfig()
    } catch (error) {
      this.#recordProblem((error as Error).message)
      return DEFAULT_CONFIG
    }
  }

  #collect(frameUrl: string, origin: string): void {
    this.#currentState = 'collecting'
    const stopListening = this.#ports.listen((message) => {
      if (readFrameMessage(message, origin) === FRAME_END_MESSAGE) this.#endRun()
    })
    const timeoutTimer = stopListening
      ? setTimeout(() => this.#abandonRun(), FRAME_TIMEOUT_MS)
      : setTimeout(() => this.#endRun(), FALLBACK_END_DELAY_MS)
    const removeFrame = this.#ports.openFrame(frameUrl)
    this.#closeFrame = () => {
      clearTimeout(timeoutTimer)
      stopListening?.()
      removeFrame()
      this.#closeFrame = () => undefined
    }
    this.#fireEvent('collect-begin')
  }

  #skipCollecting(): void {
    this.#currentState = 'idle'
    this.#storeNextDue(this.#ttlMs)
    this.#fireEvent('collect-begin')
    this.#fireEvent('collect-end')
  }

  #endRun(): void {
    this.#closeFrame()
    this.#currentState = 'idle'
    this.#storeNextDue(this.#ttlMs)
    this.#fireEvent('collect-end')
  }

  /**
   * Ends a run whose frame did not report the end of collecting. Such a run counts as failed and fires no
   * `collect-end`.
   */
  #abandonRun(): void {
    this.#closeFrame()
    this.#currentState = 'idle'
    this.#recordProblem('The collector frame didn’t respond.')
  }

  #getWaitMs(): number {
    return this.#settings ? computeRunDelayMs(this.#settings.sessionID, this.#ports, this.#keys) : 0
  }

  /** Sets the next due time, so that no page starts a run of this session before it. */
  #storeNextDue(ms: number): void {
    if (!this.#settings) return
    storeDueTime(this.#ports, this.#keys, { session: this.#settings.sessionID, due: this.#ports.now() + ms })
    this.#scheduleRun(ms)
  }

  #scheduleRun(ms: number): void {
    const calls = this.#calls
    clearTimeout(this.#nextRunTimer)
    this.#nextRunTimer = setTimeout(() => this.#ports.whenIdle(() => this.#calls === calls && this.#runIfDue()), ms)
  }

  /**
   * Runs again if a run is due. Otherwise, schedules a later run: another tab has run in the meantime, or a run is
   * still in progress.
   */
  #runIfDue(): void {
    const waitMs = this.#currentState === 'idle' ? this.#getWaitMs() : RETRY_DELAY_MS
    if (waitMs > 0) this.#scheduleRun(waitMs)
    else this.run().catch((error: Error) => this.#recordProblem(error.message))
  }

  #stop(): void {
    clearTimeout(this.#nextRunTimer)
    this.#closeFrame()
    this.#currentState = 'off'
    this.#settings = null
    this.#calls = null
  }

  #onPageLeave(): void {
    if (this.#calls && this.#settings && !this.#settings.isSinglePageApp)
      this.#ports.sendBeacon(...this.#calls.buildEndBeacon())
  }

  #fireEvent(event: CollectorEvent): void {
    const task = this.#tasks.get(event)
    this.#tasks.delete(event)
    task?.()
  }

  #recordProblem(problem: string): void {
    this.errors.push(problem)
    this.#ports.debug(problem)
  }
}
