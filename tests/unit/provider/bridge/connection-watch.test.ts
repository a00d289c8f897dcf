import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../contract/time-units.ts'
import { ConnectionWatch } from '../../../../provider/bridge/connection-watch.ts'

const HEARTBEAT_INTERVAL_MS = 10 * SECOND_MS
/** Time by which a page checks later than the bridge names. */
const PAGE_MARGIN_MS = SECOND_MS
const START = Date.UTC(2026, 0, 1)

/**
 * Simulates the storage, alarm and socket of a bridge that sends heartbeats from `START` until it loses power. `page`:
 * times, ms after `START`, between which a passive page is open.
 */
class SimulatedBridge {
  now = START
  alarmAt: number | null = null
  rowsWritten = 0
  alarms = 0
  storedContact: number | null = START
  endedAt: number | null = null
  noticedAt: number | null = null
  /** Resolves when the end of a connection may be stored. */
  canStore = Promise.resolve()
  /** Reset by `restartProvider`, because all sockets end with the process. */
  isConnected = true
  readonly #attachment: { watchedUntil?: number } = {}
  readonly #socket = {
    close: () => undefined,
    deserializeAttachment: () => this.#attachment,
  } as unknown as WorkerSocket
  #checkIntervalMs: number | null = null
  readonly #powerLossAt: number
  readonly #page: readonly [number, number]
  readonly watch: ConnectionWatch

  constructor(powerLossMs: number, page: readonly [number, number] = [0, 0]) {
    this.#powerLossAt = START + powerLossMs
    this.#page = page
    const write = () => (this.rowsWritten += 1)
    this.watch = new ConnectionWatch({
      storage: {
        getAlarm: () => Promise.resolve(this.alarmAt),
        setAlarm: async (at) => void (write(), (this.alarmAt = Number(at))),
      },
      control: {
        getSocket: () => (this.isConnected ? this.#socket : null),
        getLastHeardAt: () => this.lastHeartbeat(),
        changeState: (_, change) => void Object.assign(this.#attachment, change),
      },
      cameras: {
        readLastContact: () => (this.storedContact === null ? null : { version: null, heard: this.storedContact }),
        recordContact: (at) => void (write(), (this.storedContact = at)),
        readCheckInterval: () => this.#checkIntervalMs,
        storeCheckInterval: (intervalMs) => {
          if (this.#checkIntervalMs !== intervalMs) write()
          this.#checkIntervalMs = intervalMs
        },
        hasPassivePages: () => Promise.resolve(this.#isPageOpen()),
      },
      handleDisconnect: async (since) => {
        this.isConnected = false
        await this.canStore
        this.alarmAt = null
        this.endedAt ??= since
        this.noticedAt ??= this.now
      },
    })
  }

  lastHeartbeat(): number {
    const until = Math.min(this.now, this.#powerLossAt)
    return until - ((until - START) % HEARTBEAT_INTERVAL_MS)
  }

  #isPageOpen(): boolean {
    return this.now - START >= this.#page[0] && this.now - START < this.#page[1]
  }

  /** Runs all alarms up to `ms` after `START`, and reports the opening of the page. */
  async runUntil(ms: number): Promise<void> {
    const openAt = START + this.#page[0]
    const end = START + ms
    if (this.#page[1] > 0 && this.now <= openAt && openAt <= end) {
      await this.#runAlarms(openAt)
      this.now = openAt
      await this.watch.startFrequentChecks(this.now)
    }
    await this.#runAlarms(end)
    this.now = end
  }

  async #runAlarms(end: number): Promise<void> {
    while (this.alarmAt !== null && this.alarmAt <= end) {
      const dueAt = this.alarmAt
      this.now = Math.max(this.now, dueAt)
      this.alarmAt = null
      this.alarms += 1
      await this.watch.handleAlarm(dueAt, this.now)
    }
  }

  /** Runs a page that requests checks until `ms` after `START`. Returns the number of checks. */
  async runPageUntil(ms: number): Promise<number> {
    for (let checks = 1; ; checks += 1) {
      const checkAt = this.now - START + (await this.watch.checkForReader(this.now)) + PAGE_MARGIN_MS
      await this.runUntil(Math.min(checkAt, ms))
      if (checkAt > ms) return checks
    }
  }

  restartProvider(): void {
    this.isConnected = false
  }
}

async function connect(powerLossMs: number, page?: readonly [number, number]): Promise<SimulatedBridge> {
  const bridge = new SimulatedBridge(powerLossMs, page)
  await bridge.watch.start(START)
  return bridge
}

test('a connected bridge costs at most 100 alarms and 100 rows a day while no page is open', async () => {
  const bridge = await connect(Infinity)
  await bridge.runUntil(DAY_MS)
  expect(bridge.alarms).toBeLessThanOrEqual(100)
  expect(bridge.rowsWritten).toBeLessThanOrEqual(100)
})

test('a passive page that is open for an hour costs at most 200 alarms and rows, which stop two minutes after it closes', async () => {
  const bridge = await connect(Infinity, [HOUR_MS, 2 * HOUR_MS])
  await bridge.runUntil(HOUR_MS)
  const before = bridge.alarms
  const rowsBefore = bridge.rowsWritten
  await bridge.runUntil(2 * HOUR_MS + 2 * MINUTE_MS + 30 * SECOND_MS)
  expect(bridge.alarms - before).toBeLessThanOrEqual(200)
  expect(bridge.alarms - before).toBeGreaterThan(100)
  expect(bridge.rowsWritten - rowsBefore).toBeLessThanOrEqual(bridge.alarms - before + 2)
  const afterClose = bridge.alarms
  await bridge.runUntil(2 * HOUR_MS + 15 * MINUTE_MS)
  expect(bridge.alarms - afterClose).toBeLessThanOrEqual(1)
})

test('a passive page shows a bridge that lost power within 30 s, at any time of the lease', async () => {
  for (let lossMs = HOUR_MS; lossMs < HOUR_MS + 5 * MINUTE_MS; lossMs += 7 * SECOND_MS) {
    const bridge = await connect(lossMs, [MINUTE_MS, 2 * HOUR_MS])
    await bridge.runUntil(lossMs + 30 * SECOND_MS)
    expect(bridge.noticedAt, `loss after ${lossMs} ms`).not.toBeNull()
    expect(START + lossMs - (bridge.endedAt ?? 0)).toBeLessThanOrEqual(HEARTBEAT_INTERVAL_MS)
  }
})

test('a passive page that opens after the loss shows it immediately, at its exact time', async () => {
  const bridge = await connect(HOUR_MS, [HOUR_MS + 5 * MINUTE_MS, 2 * HOUR_MS])
  await bridge.runUntil(HOUR_MS + 5 * MINUTE_MS)
  expect([bridge.noticedAt, bridge.endedAt]).toEqual([START + HOUR_MS + 5 * MINUTE_MS, START + HOUR_MS])
})

test('a page that requests checks for an hour costs 170 checks, and neither alarms nor rows beyond those of an idle hour', async () => {
  const bridge = await connect(Infinity)
  await bridge.runUntil(HOUR_MS)
  const { alarms, rowsWritten } = bridge
  const checks = await bridge.runPageUntil(2 * HOUR_MS)
  expect(checks).toBeGreaterThan(140)
  expect(checks).toBeLessThanOrEqual(181)
  expect(bridge.alarms - alarms).toBeLessThanOrEqual(4)
  expect(bridge.rowsWritten - rowsWritten).toBeLessThanOrEqual(4)
})

test('a page that requests checks shows a bridge that lost power within 30 s, at any time', async () => {
  for (let lossMs = HOUR_MS; lossMs < HOUR_MS + MINUTE_MS; lossMs += 3 * SECOND_MS) {
    const bridge = await connect(lossMs)
    await bridge.runUntil(MINUTE_MS)
    await bridge.runPageUntil(lossMs + 30 * SECOND_MS)
    expect(bridge.noticedAt, `loss after ${lossMs} ms`).not.toBeNull()
    expect((bridge.noticedAt ?? Infinity) - (bridge.endedAt ?? 0)).toBeLessThanOrEqual(30 * SECOND_MS)
    expect(START + lossMs - (bridge.endedAt ?? 0)).toBeLessThanOrEqual(HEARTBEAT_INTERVAL_MS)
  }
})

test('after a page stops its checks, the loss is recorded within 15 minutes, at the last heartbeat', async () => {
  const bridge = await connect(HOUR_MS + 3 * SECOND_MS)
  await bridge.runPageUntil(HOUR_MS)
  await bridge.runUntil(HOUR_MS + 16 * MINUTE_MS)
  expect(bridge.endedAt).toBe(START + HOUR_MS)
})

test('without a page, the loss is recorded within 15 minutes, at the last heartbeat', async () => {
  const bridge = await connect(HOUR_MS + 3 * SECOND_MS)
  await bridge.runUntil(HOUR_MS + 16 * MINUTE_MS)
  expect(bridge.endedAt).toBe(START + HOUR_MS)
})

test('a read notices the loss at the moment of reading', async () => {
  const bridge = await connect(HOUR_MS)
  await bridge.runUntil(HOUR_MS + 24 * SECOND_MS)
  await bridge.watch.check(bridge.now)
  expect(bridge.noticedAt).toBeNull()
  await bridge.runUntil(HOUR_MS + 25 * SECOND_MS)
  await bridge.watch.check(bridge.now)
  expect(bridge.endedAt).toBe(START + HOUR_MS)
})

test('if the provider restarts while a page is open, the end of the connection stays exact to 25 s', async () => {
  const bridge = await connect(HOUR_MS, [MINUTE_MS, 2 * HOUR_MS])
  await bridge.runUntil(HOUR_MS)
  bridge.restartProvider()
  await bridge.runUntil(HOUR_MS + MINUTE_MS)
  expect(Math.abs((bridge.endedAt ?? 0) - START - HOUR_MS)).toBeLessThanOrEqual(25 * SECOND_MS)
})

test('if the provider restarts at any time around an open page, the end is never after the last heartbeat', async () => {
  for (let lossMs = 0; lossMs < 40 * MINUTE_MS; lossMs += 13 * SECOND_MS) {
    const bridge = await connect(lossMs, [5 * MINUTE_MS, 15 * MINUTE_MS])
    await bridge.runUntil(lossMs)
    const lastHeartbeat = bridge.lastHeartbeat()
    bridge.restartProvider()
    await bridge.runUntil(lossMs + HOUR_MS)
    expect(bridge.endedAt, `loss after ${lossMs} ms`).toBeLessThanOrEqual(lastHeartbeat)
    expect(bridge.endedAt, `loss after ${lossMs} ms`).toBeGreaterThanOrEqual(lastHeartbeat - 15 * MINUTE_MS)
  }
})

test.each(['startFrequentChecks', 'checkForReader'] as const)(
  'after a restart, a page waits 25 s for the bridge to connect again: %s',
  async (method) => {
    const lossMs = HOUR_MS + 5 * MINUTE_MS
    const bridge = await connect(lossMs)
    await bridge.runUntil(lossMs)
    bridge.restartProvider()
    await bridge.watch[method](bridge.now)
    expect(bridge.noticedAt).toBeNull()
    await bridge.runUntil(lossMs + 25 * SECOND_MS)
    expect(bridge.noticedAt).toBe(START + lossMs + 25 * SECOND_MS)
    expect(bridge.endedAt).toBeLessThanOrEqual(START + lossMs)
    expect(bridge.endedAt).toBeGreaterThanOrEqual(START + lossMs - 15 * MINUTE_MS)
  },
)

test('a reader waits until the silence that another reader has found is stored', async () => {
  const bridge = await connect(MINUTE_MS)
  bridge.now = START + 2 * MINUTE_MS
  const { promise, resolve: store } = Promise.withResolvers<void>()
  bridge.canStore = promise
  const seen: (number | null)[] = []
  const readers = [1, 2].map(async () => {
    await bridge.watch.checkForReader(bridge.now)
    seen.push(bridge.endedAt)
  })
  // A reader that waits for nothing would have finished in the last task.
  await new Promise((resolve) => setImmediate(resolve))
  expect(seen).toEqual([])
  store()
  await Promise.all(readers)
  expect(seen).toEqual([START + MINUTE_MS, START + MINUTE_MS])
})
