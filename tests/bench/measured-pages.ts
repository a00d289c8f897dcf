import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { median, openBrowser, signedIn } from './browser.ts'
import { openAs, type StorageState } from './first-look.ts'
import { type FrontDoor, openFrontDoor } from './front-door.ts'
import { untilQuiet } from './quiet.ts'
import { startSystem } from './system.ts'

const RUNS = 3
/**
 * Time for which a page is observed, ms. Analytics libraries load once the page is idle, and send their data ten
 * seconds later.
 */
const LOOK_MS = 16_000
const PATHS = ['/', '/account', '/live'] as const
/** Maximum additional blocking time with analytics, ms on the mobile profile. */
const LONGER_MS = 20

type State = 'on' | 'off'
type Stored = { name: string; value: string }[]

/**
 * Builds the stored values of a browser with analytics (`on`), or of a browser that has opted out and has already sent
 * its device facts (`off`).
 */
function buildStorage(state: State, stored: Stored): Stored {
  const own = stored.filter(({ name }) => !/^(browser_|AMP_|EXP_|amp-|analytics|experiment)/.test(name))
  if (state === 'on') return own
  const session = own.find(({ name }) => name === 'kount_session_id')?.value
  const due = JSON.stringify({ session, due: Date.now() + 3_600_000 })
  const off = [
    ['browser_analytics_opt_out', '1'],
    ['browser_collector_due', due],
  ] as const
  return [...own, ...off.map(([name, value]) => ({ name, value }))]
}

/** One observation of a page: its total blocking time and the duration of a press on the menu, ms. */
interface Look {
  readonly blocked: number
  readonly press: number
  readonly asked: number
}

/**
 * Measures main-thread blocking on the mobile profile, alternately in browsers with and without analytics. Returns a
 * table. `holds`: the difference is small enough, and only browsers with analytics sent events.
 */
export async function measureMeasuring(root: string): Promise<{ table: string; holds: boolean }> {
  const data = mkdtempSync(join(tmpdir(), 'porchlight-measured-'))
  process.env['EXPERIMENT'] = 'annual-first'
  const system = await startSystem(root, data, ['--fresh'])
  const browser = await openBrowser()
  try {
    const door = await openFrontDoor(system.origin)
    const { context } = await signedIn(browser, system.origin, '/live')
    const { cookies, origins } = await context.storageState()
    await context.close()
    await untilQuiet()
    const rows: string[] = []
    let holds = true
    for (const path of PATHS) {
      const looks: Record<State, Look[]> = { on: [], off: [] }
      for (let run = 0; run <= RUNS; run++)
        for (const state of ['off', 'on'] as const) {
          const localStorage = buildStorage(state, origins[0]?.localStorage ?? [])
          const storageState: StorageState = { cookies, origins: [{ origin: door.origin, localStorage }] }
          const look = await measurePage(browser, door, path, storageState)
          // The first visit does not count: the proxy (front-door.ts) compresses the portal's files during this visit.
          if (run > 0) looks[state].push(look)
        }
      const middle = (state: State, metric: keyof Look) => median(looks[state].map((sample) => sample[metric]))
      const longer = middle('on', 'blocked') - middle('off', 'blocked')
      holds &&=
        longer <= LONGER_MS &&
        looks.off.every(({ asked: requestCount }) => requestCount === 0) &&
        looks.on.every(({ asked: requestCount }) => requestCount > 0)
      const cells = (['off', 'on'] as const).flatMap((state) => [middle(state, 'blocked'), middle(state, 'press')])
      rows.push(`| ${path} | ${cells.map((ms) => ms.toFixed(0)).join(' | ')} | ${longer.toFixed(0)} |`)
    }
    door.close()
    const table = [
      '| page, mobile | blocked, not measured, ms | a press | blocked, measured, ms | a press | longer |',
      '|---|---|---|---|---|---|',
      ...rows,
      '',
      `Medians of ${RUNS}, each looked at for ${LOOK_MS / 1000} s from an empty cache. Measured pages may be blocked for ${LONGER_MS} ms longer.`,
    ].join('\n')
    return { table, holds }
  } finally {
    await browser.close()
    await system.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function measurePage(browser: Browser, door: FrontDoor, path: string, storageState: StorageState): Promise<Look> {
  const page = await openAs(browser, 'mobile', storageState)
  let requestCount = 0
  page.on('request', (request) => void (requestCount += new URL(request.url()).pathname === '/t/events' ? 1 : 0))
  await page.addInitScript(recordTasks)
  await page.goto(door.origin + path, { waitUntil: 'commit' })
  await page.waitForTimeout(LOOK_MS)
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if (await menu.isVisible()) await menu.click()
  const noted = await page.evaluate(
    () =>
      new Promise<{ blocked: number; press: number }>((resolve) => {
        // The browser reports a press only after it has painted the result, so wait one second.
        setTimeout(() => {
          const { first, tasks, presses } = (globalThis as unknown as { noted: Noted }).noted
          const late = tasks.filter(({ at }) => at >= first)
          const blocked = late.reduce((sum, { ms }) => sum + Math.max(0, ms - 50), 0)
          resolve({ blocked, press: Math.max(0, ...presses) })
        }, 1000)
      }),
  )
  await page.context().close()
  return { ...noted, asked: requestCount }
}

interface Noted {
  first: number
  tasks: { at: number; ms: number }[]
  presses: number[]
}

/** Runs in the page: records long tasks after the first paint and durations of presses. */
function recordTasks(): void {
  const noted: Noted = { first: Infinity, tasks: [], presses: [] }
  Object.assign(globalThis, { noted })
  const watch = (type: string, note: (entry: PerformanceEntry) => void, more: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more })
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') noted.first = startTime
  })
  watch('longtask', ({ startTime, duration }) => void noted.tasks.push({ at: startTime, ms: duration }))
  watch('event', ({ duration }) => void noted.presses.push(duration), { durationThreshold: 16 })
}
