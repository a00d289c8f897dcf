import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import { openProfilePage, type StorageState } from './first-screen.ts'
import { type CdnProxy, startCdnProxy } from './cdn-proxy.ts'
import { waitForIdleCpu } from './idle-cpu.ts'
import { startSystem } from './system.ts'

const RUNS = 3
/**
 * Time for which a page is observed, ms. Analytics libraries load when the page is idle and send their data ten seconds
 * later.
 */
const OBSERVATION_MS = 16_000
const MEASURED_PATHS = ['/', '/account', '/live'] as const
/** Maximum additional blocking time with analytics, ms on the mobile profile. */
const MAX_EXTRA_BLOCKING_MS = 20

type AnalyticsState = 'on' | 'off'
type StorageEntries = { name: string; value: string }[]

/**
 * Builds the localStorage of a browser with analytics (`on`), or of a browser that has opted out and has already sent
 * its device facts (`off`).
 */
function buildStorage(state: AnalyticsState, stored: StorageEntries): StorageEntries {
  const own = stored.filter(({ name }) => !/^(browser_|AMP_|EXP_|amp-|analytics|experiment)/.test(name))
  if (state === 'on') return own
  const session = own.find(({ name }) => name === 'kount_session_id')?.value
  const due = JSON.stringify({ session, due: Date.now() + 3_600_000 })
  const optOutEntries = [
    ['browser_analytics_opt_out', '1'],
    ['browser_collector_due', due],
  ] as const
  return [...own, ...optOutEntries.map(([name, value]) => ({ name, value }))]
}

/** Total blocking time of a page and duration of a menu click, ms. `requestCount`: number of analytics requests. */
interface PageObservation {
  readonly blockedMs: number
  readonly clickMs: number
  readonly requestCount: number
}

/**
 * Measures main-thread blocking on the mobile profile, alternately with and without analytics. `holds`: the difference
 * is within the limit, and only browsers with analytics sent events.
 */
export async function measureAnalyticsCost(root: string): Promise<{ table: string; holds: boolean }> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-measured-'))
  process.env['EXPERIMENT'] = 'annual-first'
  const system = await startSystem(root, dataFolder, ['--fresh'])
  const browser = await openBrowser()
  try {
    const proxy = await startCdnProxy(system.origin)
    const { context } = await openSignedInPage(browser, system.origin, '/live')
    const { cookies, origins } = await context.storageState()
    await context.close()
    await waitForIdleCpu()
    const rows: string[] = []
    let holds = true
    for (const path of MEASURED_PATHS) {
      const observations: Record<AnalyticsState, PageObservation[]> = { on: [], off: [] }
      for (let run = 0; run <= RUNS; run++)
        for (const state of ['off', 'on'] as const) {
          const localStorage = buildStorage(state, origins[0]?.localStorage ?? [])
          const storageState: StorageState = { cookies, origins: [{ origin: proxy.origin, localStorage }] }
          const observation = await measurePage(browser, proxy, path, storageState)
          // The first visit does not count, because the proxy compresses the portal's files during it.
          if (run > 0) observations[state].push(observation)
        }
      const computeMedian = (state: AnalyticsState, metric: keyof PageObservation) =>
        median(observations[state].map((sample) => sample[metric]))
      const extraBlockingMs = computeMedian('on', 'blockedMs') - computeMedian('off', 'blockedMs')
      holds &&=
        extraBlockingMs <= MAX_EXTRA_BLOCKING_MS &&
        observations.off.every(({ requestCount }) => requestCount === 0) &&
        observations.on.every(({ requestCount }) => requestCount > 0)
      const cells = (['off', 'on'] as const).flatMap((state) => [
        computeMedian(state, 'blockedMs'),
        computeMedian(state, 'clickMs'),
      ])
      rows.push(`| ${path} | ${cells.map((ms) => ms.toFixed(0)).join(' | ')} | ${extraBlockingMs.toFixed(0)} |`)
    }
    proxy.close()
    const table = [
      '| page (mobile) | blocking without analytics, ms | menu click, ms | blocking with analytics, ms | menu click, ms | extra blocking, ms |',
      '|---|---|---|---|---|---|',
      ...rows,
      '',
      `Medians of ${RUNS}, each looked at for ${OBSERVATION_MS / 1000} s from an empty cache. Measured pages may be blocked for ${MAX_EXTRA_BLOCKING_MS} ms longer.`,
    ].join('\n')
    return { table, holds }
  } finally {
    await browser.close()
    await system.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function measurePage(
  browser: Browser,
  proxy: CdnProxy,
  path: string,
  storageState: StorageState,
): Promise<PageObservation> {
  const page = await openProfilePage(browser, 'mobile', storageState)
  let requestCount = 0
  page.on('request', (request) => void (requestCount += new URL(request.url()).pathname === '/t/events' ? 1 : 0))
  await page.addInitScript(recordTasks)
  await page.goto(proxy.origin + path, { waitUntil: 'commit' })
  await page.waitForTimeout(OBSERVATION_MS)
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if (await menu.isVisible()) await menu.click()
  const recordedTimings = await page.evaluate(
    () =>
      new Promise<{ blockedMs: number; clickMs: number }>((resolve) => {
        // The browser reports a click only after painting its result, so wait one second.
        setTimeout(() => {
          const { first, tasks, presses } = (globalThis as unknown as { recordedTimings: RecordedTimings })
            .recordedTimings
          const tasksAfterPaint = tasks.filter(({ at }) => at >= first)
          const blockedMs = tasksAfterPaint.reduce((sum, { ms }) => sum + Math.max(0, ms - 50), 0)
          resolve({ blockedMs, clickMs: Math.max(0, ...presses) })
        }, 1000)
      }),
  )
  await page.context().close()
  return { ...recordedTimings, requestCount }
}

interface RecordedTimings {
  first: number
  tasks: { at: number; ms: number }[]
  presses: number[]
}

/** Runs in the page: records the first contentful paint, long tasks and the durations of input events. */
function recordTasks(): void {
  const recordedTimings: RecordedTimings = { first: Infinity, tasks: [], presses: [] }
  Object.assign(globalThis, { recordedTimings })
  const observe = (type: string, onEntry: (entry: PerformanceEntry) => void, options: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true, ...options })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') recordedTimings.first = startTime
  })
  observe('longtask', ({ startTime, duration }) => void recordedTimings.tasks.push({ at: startTime, ms: duration }))
  observe('event', ({ duration }) => void recordedTimings.presses.push(duration), { durationThreshold: 16 })
}
