import { FRAME_END } from '../../../contract/fraud.ts'
import { CollectorCalls } from './calls.ts'
import { FirstParty } from './first-party.ts'
import type { CollectorKeys, CollectorPorts } from './ports.ts'
import { DEFAULT_CONFIG, frameMessage, readyOf, type PageConfig, type Ready, type ServerConfig } from './rules.ts'
import { keepTold, tellSession, toldOf } from './session.ts'

/** How long the end is waited for where windows cannot speak with each other, ms. */
const FALLBACK_END_MS = 3000
const DEFAULT_FIELD = 'sessionId'

/**
 * Where a collector stands. `off`: it was not given what it needs. `idle` until a run begins, which goes through
 * `configuring`, `first-party` and `collecting`; then `idle` again, until the configuration is no longer good.
 */
export type CollectorState = 'off' | 'idle' | 'configuring' | 'first-party' | 'collecting'
export type Moment = 'collect-begin' | 'collect-end'

/** The device collector of one page. Nothing that it does shows, and nothing waits for it. */
export class Collector {
  /** What went wrong, for who debugs. */
  readonly errors: string[] = []
  private readonly ports: CollectorPorts
  private readonly keys: CollectorKeys
  private readonly config: Partial<PageConfig> | null
  private readonly instance: string
  private ready: Ready | null = null
  private calls: CollectorCalls | null = null
  private now: CollectorState = 'off'
  private readonly heard = new Map<Moment, () => void>()
  private close: () => void = () => undefined
  private repeat: ReturnType<typeof setTimeout> | undefined

  constructor(config: Partial<PageConfig> | null, ports: CollectorPorts, keys: CollectorKeys) {
    this.config = config
    this.ports = ports
    this.keys = keys
    this.instance = ports.randomId()
  }

  get state(): CollectorState {
    return this.now
  }

  /** Calls the task the next time, once. */
  on(moment: Moment, task: () => void): void {
    this.heard.set(moment, task)
  }

  /** Tells the host of the session and runs, where the last run of this session is no longer good (OPEN-149). */
  async start(sessionID: string): Promise<void> {
    if (!this.prepare(sessionID)) return
    this.ports.onLeave(() => this.leave())
    await this.tell()
    const due = toldOf(this.ports, this.keys)?.due ?? 0
    const wait = due - this.ports.now()
    if (wait <= 0) return this.run()
    this.later(wait)
  }

  /** Another session: what was kept of the last one goes, the host is told, and the collector runs again. */
  async newSession(sessionID: string): Promise<void> {
    this.ports.tab.remove(this.keys.session)
    this.stop()
    if (!this.prepare(sessionID)) return
    await this.tell()
    await this.run()
  }

  /** One run; none while another is under way. */
  async run(): Promise<void> {
    const { ready, calls } = this
    if (!ready || !calls || this.now !== 'idle') return
    this.now = 'configuring'
    const config = await this.configuration(calls)
    if (this.calls !== calls) return
    // A session that the host has not taken is told again by the next page, which runs again too.
    if (toldOf(this.ports, this.keys)?.session === ready.sessionID)
      keepTold(this.ports, this.keys, { session: ready.sessionID, due: this.ports.now() + config.ttlMs })
    this.later(config.ttlMs)
    if (!config.collect) return this.skip()
    this.now = 'first-party'
    const hasValue = await new FirstParty(this.ports, this.keys).settle(calls, (problem) => this.note(problem))
    if (this.calls !== calls) return
    if (hasValue) return this.collect(calls, ready.origin)
    this.note('Invalid/Missing First Party cookie')
    this.now = 'idle'
  }

  /** Adds a hidden field with the session to a form. */
  attach(formId: string, name: string = DEFAULT_FIELD): void {
    const form = typeof formId === 'string' && formId !== '' ? this.ports.formOf(formId) : null
    if (!form || !this.ready) return this.note(`There is no form ${JSON.stringify(formId)} to attach the session to.`)
    const field = form.ownerDocument.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = this.ready.sessionID
    form.append(field)
  }

  private prepare(sessionID: string): boolean {
    const ready = readyOf(this.config, sessionID)
    if (typeof ready === 'string') {
      this.ports.debug(ready)
      return false
    }
    this.ready = ready
    this.calls = new CollectorCalls(ready, this.instance, this.ports.fetch)
    this.now = 'idle'
    return true
  }

  private async tell(): Promise<void> {
    if (!this.ready) return
    const { ports, keys, ready, instance } = this
    await tellSession(ready, { ...ports, randomId: () => instance }, keys, (problem) => this.note(problem))
  }

  private async configuration(calls: CollectorCalls): Promise<ServerConfig> {
    try {
      return await calls.config()
    } catch (error) {
      this.note((error as Error).message)
      return DEFAULT_CONFIG
    }
  }

  private collect(calls: CollectorCalls, origin: string): void {
    this.now = 'collecting'
    const deaf = this.ports.listen((message) => {
      if (frameMessage(message, origin) === FRAME_END) this.end()
    })
    const fallback = deaf ? undefined : setTimeout(() => this.end(), FALLBACK_END_MS)
    const remove = this.ports.openFrame(calls.frame())
    this.close = () => {
      clearTimeout(fallback)
      deaf?.()
      remove()
      this.close = () => undefined
    }
    this.fire('collect-begin')
  }

  /** The host wants nothing this time. */
  private skip(): void {
    this.now = 'idle'
    this.fire('collect-begin')
    this.fire('collect-end')
  }

  private end(): void {
    this.close()
    this.now = 'idle'
    this.fire('collect-end')
  }

  /** Runs again when the configuration is no longer good; a frame that has said nothing until then is given up. */
  private later(ms: number): void {
    clearTimeout(this.repeat)
    this.repeat = setTimeout(() => {
      if (this.now === 'collecting') {
        this.close()
        this.now = 'idle'
      }
      void this.run()
    }, ms)
  }

  private stop(): void {
    clearTimeout(this.repeat)
    this.close()
    this.now = 'off'
    this.calls = null
  }

  private leave(): void {
    if (this.calls && this.ready && !this.ready.isSinglePageApp) this.ports.beacon(...this.calls.end())
  }

  private fire(moment: Moment): void {
    const task = this.heard.get(moment)
    this.heard.delete(moment)
    task?.()
  }

  private note(problem: string): void {
    this.errors.push(problem)
    this.ports.debug(problem)
  }
}
