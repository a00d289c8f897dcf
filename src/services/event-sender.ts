import { ANALYTICS_API_KEY, AUTOMATIC_EVENTS, type SentEvent } from '../../contract/telemetry/analytics-events.ts'
import { analyticsBatch } from '../../contract/telemetry/telemetry-calls.ts'
import { canRetry, getRetryDelayMs, RETRIES_MAX } from './retry-policy.ts'

export interface SenderPorts {
  readonly origin: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Returns true while this page may store and send events. */
  readonly canContinue: () => boolean
  /** Unsent events of this browser, oldest first. All its tabs share them. */
  readonly readUnsent: () => readonly SentEvent[]
  /** Tabs may add and remove events in the same moment. */
  readonly addUnsent: (event: SentEvent) => void
  readonly removeUnsent: (ids: ReadonlySet<string>) => void
  /** Runs the task when no other tab of this browser sends events. */
  readonly runExclusively: (task: () => Promise<void>) => Promise<void>
  readonly sent: (events: readonly SentEvent[]) => void
}

export const FLUSH_INTERVAL_MS = 10_000
export const FLUSH_QUEUE_SIZE = 50
/** Maximum number of unsent exposures, and of other unsent events (EXPERIMENT-09, OPEN-152). */
export const UNSENT_MAX = 512
/** Browsers limit the bodies of keepalive requests to 64 KiB. The events contain only ASCII. */
const BODY_CHARS_MAX = 60_000
const TIMEOUT_MS = 10_000

/**
 * Sends events in batches (ANALYTICS-08). Each event stays in the browser's storage until the sink accepts it, so that
 * a later page can send it. The sink ignores events whose `insert_id` it already has.
 */
export class EventSender {
  readonly #ports: SenderPorts
  /** Ids of events that a pending request contains. */
  readonly #pendingIds = new Set<string>()
  /** Ids of events that this page recorded. */
  readonly #ownIds = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | null = null
  #retries = 0
  #isStopped = false

  constructor(ports: SenderPorts) {
    this.#ports = ports
  }

  add(event: SentEvent): void {
    if (!this.#isOpen) return
    this.#ports.addUnsent(event)
    this.#ownIds.add(event.insert_id)
    const unsent = this.#ports.readUnsent()
    const excessIds = listExcessIds(unsent)
    if (excessIds.size > 0) this.#ports.removeUnsent(excessIds)
    if (this.#retries > 0) return
    if (document.visibilityState === 'hidden') this.sendOwn()
    else if (unsent.filter(({ insert_id }) => !this.#pendingIds.has(insert_id)).length >= FLUSH_QUEUE_SIZE)
      void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_INTERVAL_MS)
  }

  /** Sends the unsent events of this browser. After a failure, starts the retries. */
  async flush(): Promise<void> {
    this.#clearTimer()
    if (navigator.onLine) await this.#ports.runExclusively(() => this.#sendUnsent())
  }

  /** Sends immediately after the connection has returned. */
  resume(): void {
    this.#retries = 0
    void this.flush()
  }

  /**
   * Sends this page's own events immediately, because the page may end. Does not wait for other tabs; they send their
   * own events.
   */
  sendOwn(): void {
    if (!this.#isOpen || this.#retries > 0 || !navigator.onLine) return
    const batch = this.#takeBatch(({ insert_id }) => this.#ownIds.has(insert_id))
    if (batch.length > 0) void this.#send(batch)
  }

  stop(): void {
    this.#isStopped = true
    this.#clearTimer()
  }

  get #isOpen(): boolean {
    return !this.#isStopped && this.#ports.canContinue()
  }

  async #sendUnsent(): Promise<void> {
    while (this.#isOpen) {
      const batch = this.#takeBatch(() => true)
      if (batch.length === 0 || !(await this.#send(batch))) return
    }
  }

  /** Returns the oldest matching events that no pending request contains and that fit into one request. */
  #takeBatch(isIncluded: (event: SentEvent) => boolean): readonly SentEvent[] {
    let batch = this.#ports
      .readUnsent()
      .filter((event) => isIncluded(event) && !this.#pendingIds.has(event.insert_id))
      .slice(0, UNSENT_MAX / 2)
    while (batch.length > 1 && JSON.stringify(batch).length > BODY_CHARS_MAX)
      batch = batch.slice(0, Math.ceil(batch.length / 2))
    return batch
  }

  /** Sends one batch. Returns true if the sink has accepted or rejected the batch; otherwise, schedules a retry. */
  async #send(batch: readonly SentEvent[]): Promise<boolean> {
    const ids = new Set(batch.map(({ insert_id }) => insert_id))
    for (const id of ids) this.#pendingIds.add(id)
    const status = await this.#post(batch)
    for (const id of ids) this.#pendingIds.delete(id)
    if (!this.#isOpen) return false
    if (status !== 'accepted' && canRetry(status)) return this.#scheduleRetry()
    this.#retries = 0
    // Not the sink's own response: the events wait for the next event or page.
    if (status !== 'accepted' && status < 300) return false
    this.#ports.removeUnsent(ids)
    if (status === 'accepted') this.#ports.sent(batch)
    return true
  }

  /** Returns the status of a failed request; 0 without a response. */
  async #post(events: readonly SentEvent[]): Promise<'accepted' | number> {
    try {
      const response = await this.#ports.fetch(this.#ports.origin + analyticsBatch.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: ANALYTICS_API_KEY, events }),
        keepalive: true,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!response.ok) return response.status
      const body = (await response.json().catch(() => null)) as { code?: unknown } | null
      return body?.code === 200 ? 'accepted' : response.status
    } catch {
      return 0
    }
  }

  /** Schedules the next retry. After the last one, the events wait for the next page or connection. */
  #scheduleRetry(): false {
    this.#clearTimer()
    if (this.#retries < RETRIES_MAX) this.#timer = setTimeout(() => void this.flush(), getRetryDelayMs(this.#retries++))
    else this.#retries = 0
    return false
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}

/** Returns the ids of the oldest exposures and of the oldest other events, beyond `UNSENT_MAX` of each. */
function listExcessIds(events: readonly SentEvent[]): ReadonlySet<string> {
  const isExposure = ({ event_type }: SentEvent) => event_type === AUTOMATIC_EVENTS.exposure
  const exposures = events.filter(isExposure).slice(0, -UNSENT_MAX)
  const others = events.filter((event) => !isExposure(event)).slice(0, -UNSENT_MAX)
  return new Set([...exposures, ...others].map(({ insert_id }) => insert_id))
}
