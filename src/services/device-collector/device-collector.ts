import { COLLECTOR_WORD, FRAME_END } from '../../../contract/telemetry/device-collector.ts'
import { CollectorCalls } from './collector-calls.ts'
import { storeDue, waitFor } from './next-run.ts'
import { FirstParty } from './first-party-value.ts'
import type { CollectorKeys, CollectorPorts } from './collector-ports.ts'
import {
  DEFAULT_CONFIG,
  frameMessage,
  validateConfig,
  type PageConfig,
  type Ready,
  type ServerConfig,
} from './collector-rules.ts'

/** Time after which a run counts as ended if windows cannot exchange messages, ms. */
const FALLBACK_END_MS = 3000
/** Timeout of a silent frame, ms. */
const FRAME_MS = 30_000
/**
 * Delay after the start of a run before it is retried if it has not ended, ms. Longer than all timeouts of a run
 * together.
 */
const RETRY_MS = 60_000
const DEFAULT_FIELD = 'sessionId'

/**
 * State of the collector. `off`: a required value is missing. `idle`: no run; a run passes through `configuring`,
 * `first-party` and `collecting`, then the state is `idle` again until the next run is due.
 */
export type CollectorState = 'off' | 'idle' | 'configuring' | 'first-party' | 'collecting'
export type CollectorMoment = 'collect-begin' | 'collect-end'

/** Device collector of one page. It shows nothing, and nothing waits for it. */
export class DeviceCollector {
  readonly errors: string[] = []
  private readonly ports: CollectorPorts
  private readonly keys: CollectorKeys
  private readonly config: Partial<PageConfig> | null
  private readonly instance: string
  private ready: Ready | null = null
  private calls: CollectorCalls | null = null
  private now: CollectorState = 'off'
  private ttlMs = DEFAULT_CONFIG.ttlMs
  private readonly heard = new Map<CollectorMoment, () => void>()
  private close: () => void = () => undefined
  private repeat: ReturnType<typeof setTimeout> | undefined

  constructor(config: Partial<PageConfig> | null, ports: CollectorPorts, keys: CollectorKeys) {
    this.config = config
    this.ports = ports
    this.keys = keys
    this.instance = ports.randomId()
    ports.onLeave(() => this.leave())
  }

  get state(): CollectorState {
    return this.now
  }

  /** Calls the task once, at the next start or end of a run. */
  on(moment: CollectorMoment, task: () => void): void {
    this.heard.set(moment, task)
  }

  /**
   * Runs immediately if the last run of this session in this browser has expired (OPEN-149); otherwise when it expires.
   */
  async start(sessionID: string): Promise<void> {
    if (!this.prepare(sessionID)) return
    const wait = this.wait()
    if (wait === 0) return this.run()
    this.later(wait)
  }

  /** Switches to another session: discards stored data of the last one, notifies the host and runs again. */
  async newSession(sessionID: string): Promise<void> {
    this.ports.tab.remove(this.keys.session)
    this.stop()
    if (this.prepare(sessionID)) await this.run()
  }

  /** Runs once; does nothing during another run. */
  async run(): Promise<void> {
    const { ready, calls } = this
    if (!ready || !calls || this.now !== 'idle') return
    this.now = 'configuring'
    // Sets a provisional due time; the end of the run sets the real one. If this page is abandoned or the host is dead,
    // one page per minute retries.
    this.rest(RETRY_MS)
    void this.reportSession(ready, calls)
    const { ttlMs, collect, flags } = await this.configuration(calls)
    if (this.calls !== calls) return
    this.ttlMs = ttlMs
    if (!collect) return this.skip()
    this.now = 'first-party'
    const hasValue = await new FirstParty(this.ports, this.keys).settle(calls, (problem) => this.recordProblem(problem))
    if (this.calls !== calls) return
    if (hasValue) return this.collect(calls.frame(flags), ready.origin)
    this.recordProblem('Invalid/Missing First Party cookie')
    this.now = 'idle'
  }

  /** Adds a hidden field with the session to a form; requires `prepare` or `start` first. */
  attach(formId: string, name: string = DEFAULT_FIELD): void {
    const form = typeof formId === 'string' && formId !== '' ? this.ports.formOf(formId) : null
    if (!form || !this.ready)
      return this.recordProblem(`There is no form ${JSON.stringify(formId)} to attach the session to.`)
    const field = form.ownerDocument.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = this.ready.sessionID
    form.append(field)
  }

  /** Sets the session without a run. Returns false and logs the reason if a value is missing. */
  prepare(sessionID: string): boolean {
    const ready = validateConfig(this.config, sessionID)
    if (typeof ready === 'string') {
      this.ports.debug(ready)
      return false
    }
    this.ready = ready
    this.calls = new CollectorCalls(ready, this.instance, this.ports.fetch)
    this.now = 'idle'
    return true
  }

  /**
   * Reports the session to the host if the last session that this tab reported was a different one. The report names
   * that session too.
   */
  private async reportSession({ sessionID }: Ready, calls: CollectorCalls): Promise<void> {
    const previous = this.ports.tab.read(this.keys.session) ?? ''
    if (previous === sessionID) return
    const status = await calls.reportSession(COLLECTOR_WORD.test(previous) ? previous : '').catch(() => 0)
    // A failed report is sent again by the next run.
    if (status !== 200 && status !== 201) return this.recordProblem(`Unknown response to the session: ${status}.`)
    if (this.calls === calls) this.ports.tab.write(this.keys.session, sessionID)
  }

  private async configuration(calls: CollectorCalls): Promise<ServerConfig> {
    try {
      return await calls.config()
    } catch (error) {
      this.recordProblem((error as Error).message)
      return DEFAULT_CONFIG
    }
  }

  private collect(address: string, origin: string): void {
    this.now = 'collecting'
    const deaf = this.ports.listen((message) => {
      if (frameMessage(message, origin) === FRAME_END) this.end()
    })
    const limit = deaf ? setTimeout(() => this.giveUp(), FRAME_MS) : setTimeout(() => this.end(), FALLBACK_END_MS)
    const remove = this.ports.openFrame(address)
    this.close = () => {
      clearTimeout(limit)
      deaf?.()
      remove()
      this.close = () => undefined
    }
    this.fire('collect-begin')
  }

  /** Ends a run without collecting, because the host wants no data this time. */
  private skip(): void {
    this.now = 'idle'
    this.rest(this.ttlMs)
    this.fire('collect-begin')
    this.fire('collect-end')
  }

  private end(): void {
    this.close()
    this.now = 'idle'
    this.rest(this.ttlMs)
    this.fire('collect-end')
  }

  /** Ends a run whose frame sent no message. This counts as a failure, not as an end. */
  private giveUp(): void {
    this.close()
    this.now = 'idle'
    this.recordProblem('The frame has said nothing.')
  }

  /** Returns how long this session must wait, ms; 0 if it may run. */
  private wait(): number {
    return this.ready ? waitFor(this.ready.sessionID, this.ports, this.keys) : 0
  }

  /** Sets the next due time, so that no page starts a run of this session before it. */
  private rest(ms: number): void {
    if (!this.ready) return
    storeDue(this.ports, this.keys, { session: this.ready.sessionID, due: this.ports.now() + ms })
    this.later(ms)
  }

  private later(ms: number): void {
    const { calls } = this
    clearTimeout(this.repeat)
    this.repeat = setTimeout(() => this.ports.whenIdle(() => this.calls === calls && this.again()), ms)
  }

  /** Runs again, or later if another tab has run meanwhile or a run is still in progress. */
  private again(): void {
    const wait = this.now === 'idle' ? this.wait() : RETRY_MS
    if (wait > 0) this.later(wait)
    else this.run().catch((error: Error) => this.recordProblem(error.message))
  }

  private stop(): void {
    clearTimeout(this.repeat)
    this.close()
    this.now = 'off'
    this.ready = null
    this.calls = null
  }

  private leave(): void {
    if (this.calls && this.ready && !this.ready.isSinglePageApp) this.ports.beacon(...this.calls.end())
  }

  private fire(moment: CollectorMoment): void {
    const task = this.heard.get(moment)
    this.heard.delete(moment)
    task?.()
  }

  private recordProblem(problem: string): void {
    this.errors.push(problem)
    this.ports.debug(problem)
  }
}
