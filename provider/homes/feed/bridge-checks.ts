import type { SqlStorage } from '@cloudflare/workers-types'
import type { Env } from '../../env.ts'
import { getObject } from '../../platform/objects.ts'

/** Time for which the result of a check is current. With `HEARTBEAT_TIMEOUT_MS`, a state is at most 30 s old. */
const CHECK_LIFETIME_MS = 5000

/** Lets the bridges of a home check their connections, because the `Bridge` objects rarely do so without a reader. */
export class BridgeChecks {
  readonly #sql: SqlStorage
  readonly #env: Env
  #lastCheck = { at: -Infinity, done: Promise.resolve() }

  constructor(sql: SqlStorage, env: Env) {
    this.#sql = sql
    this.#env = env
  }

  /** Called when a page opens: from now on, the bridges check their connections every 25 s while the page is open. */
  async startFrequentChecks(): Promise<void> {
    await Promise.all(this.#listBridges().map((bridge) => bridge.startFrequentChecks()))
  }

  /**
   * Brings the camera states up to date before they are read. If a bridge cannot be reached, its last states remain.
   * `now`: ms UTC.
   */
  async checkAll(now: number): Promise<void> {
    if (now - this.#lastCheck.at >= CHECK_LIFETIME_MS) {
      const checks = this.#listBridges().map((bridge) => bridge.checkConnection())
      this.#lastCheck = { at: now, done: Promise.allSettled(checks).then(() => undefined) }
    }
    await this.#lastCheck.done
  }

  #listBridges() {
    const rows = this.#sql.exec<{ bridge_id: string }>(
      'SELECT DISTINCT bridge_id FROM devices WHERE removed_at IS NULL',
    )
    return rows.toArray().map(({ bridge_id }) => getObject(this.#env, 'BRIDGES', bridge_id))
  }
}
