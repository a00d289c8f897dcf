import type { SqlStorage, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { FEED_CHECK_TEXT, type FeedCheckResponse } from '../../../contract/events/feed.ts'
import { HEARTBEAT_TIMEOUT_MS } from '../../bridge/control-socket.ts'
import type { Env } from '../../env.ts'
import { getObject } from '../../platform/objects.ts'

/** Time after which a failed check is repeated. */
const RETRY_MS = 5000
/** Added to the time at which a page requests the next check, so that the silence has then lasted long enough. */
const PAGE_MARGIN_MS = 1000

/** Lets the bridges of a home check their connections, because the `Bridge` objects rarely do so without a reader. */
export class BridgeChecks {
  readonly #sql: SqlStorage
  readonly #env: Env
  /** Time, ms UTC, before which no check can find a silent bridge. */
  #dueAt = -Infinity
  #check: Promise<void> | null = null

  constructor(sql: SqlStorage, env: Env) {
    this.#sql = sql
    this.#env = env
  }

  /** Called when a page opens that sends no checks: while it is open, alarms of the bridges check every 25 s. */
  async startFrequentChecks(): Promise<void> {
    await Promise.all(this.#listBridges().map((bridge) => bridge.startFrequentChecks()))
  }

  /**
   * Brings the camera states up to date before they are read. If a bridge cannot be reached, its last states remain.
   * `now`: ms UTC.
   */
  async checkAll(now: number): Promise<void> {
    if (now < this.#dueAt) return
    this.#check ??= this.#checkBridges(now).finally(() => (this.#check = null))
    await this.#check
  }

  async #checkBridges(now: number): Promise<void> {
    const checks = await Promise.allSettled(this.#listBridges().map((bridge) => bridge.checkConnection()))
    const delays = checks.map((check) => (check.status === 'fulfilled' ? check.value : RETRY_MS))
    this.#dueAt = now + Math.min(HEARTBEAT_TIMEOUT_MS, ...delays)
  }

  /** Checks the bridges for a page, and sends it the time of its next check. */
  async checkForPage(socket: WorkerSocket): Promise<void> {
    await this.checkAll(Date.now())
    if (socket.readyState !== WebSocket.OPEN) return
    const next_ms = Math.max(this.#dueAt - Date.now(), 0) + PAGE_MARGIN_MS
    socket.send(JSON.stringify({ type: 'checked', next_ms } satisfies FeedCheckResponse))
  }

  /** Handles a message from a page on its feed. Ignores messages other than `FEED_CHECK_TEXT`. */
  async handleFeedMessage(socket: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
    if (data === FEED_CHECK_TEXT) await this.checkForPage(socket)
  }

  #listBridges() {
    const rows = this.#sql.exec<{ bridge_id: string }>(
      'SELECT DISTINCT bridge_id FROM devices WHERE removed_at IS NULL',
    )
    return rows.toArray().map(({ bridge_id }) => getObject(this.#env, 'BRIDGES', bridge_id))
  }
}
