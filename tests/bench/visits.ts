import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { getGzipKib } from '../../scripts/lib/page-weight.ts'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import { type CdnProxy, startCdnProxy } from './cdn-proxy.ts'
import type { Figure } from './figure.ts'
import { openProfilePage, type StorageState } from './first-screen.ts'
import type { System } from './system.ts'

const RUNS = 3
/** Observation time of a visit, ms. The page loads completely in this time, including code for later clicks. */
const OBSERVATION_MS = 8000
const MAX_SCRIPT_FILES = 25

/** Path of the baseline page: one line of text and the home page's inline image, without styles or scripts. */
const BASELINE_PATH = '/floor'

interface VisitCase {
  readonly path: string
  readonly isSignedIn: boolean
  /** Upper bounds of the figures, ms. `lcp` is null if the benchmark has no goal for the largest paint. */
  readonly goals: { readonly fcp: number; readonly lcp: number | null; readonly blocked: number; readonly kib: number }
}

const VISIT_CASES: readonly VisitCase[] = [
  { path: '/', isSignedIn: false, goals: { fcp: 900, lcp: 900, blocked: 50, kib: 20 } },
  { path: '/live', isSignedIn: true, goals: { fcp: 900, lcp: 2500, blocked: 100, kib: 190 } },
  { path: '/events', isSignedIn: true, goals: { fcp: 900, lcp: 2500, blocked: 100, kib: 190 } },
  { path: '/account/services', isSignedIn: true, goals: { fcp: 900, lcp: null, blocked: 100, kib: 140 } },
  {
    path: '/account/products/camera-ai?period=monthly',
    isSignedIn: true,
    goals: { fcp: 900, lcp: null, blocked: 100, kib: 140 },
  },
]

interface Visit {
  /** First and largest contentful paint, ms since the navigation. */
  readonly fcp: number
  readonly lcp: number
  /** Total time by which tasks after the first paint exceed 50 ms, ms. */
  readonly blocked: number
  /** Cumulative layout shift. */
  readonly shift: number
  /** Paths of all scripts that the visit fetched. */
  readonly scripts: readonly string[]
}

/**
 * Measures visits on the mobile profile with an empty cache: first and largest paint, blocking time, layout shift and
 * scripts. `root`: project folder with the build that `system` serves.
 */
export async function measureVisits(root: string, system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const proxy = await startCdnProxy(system.origin, { [BASELINE_PATH]: await buildBaselinePage(system.origin) })
  const { context } = await openSignedInPage(browser, system.origin, '/live')
  const { cookies } = await context.storageState()
  await context.close()
  const floor = await observeVisits(browser, proxy, BASELINE_PATH, { cookies: [], origins: [] })
  const figures: Figure[] = []
  for (const visitCase of VISIT_CASES) {
    const storageState: StorageState = { cookies: visitCase.isSignedIn ? cookies : [], origins: [] }
    const visits = await observeVisits(browser, proxy, visitCase.path, storageState)
    figures.push(...toFigures(root, visitCase, visits, floor))
  }
  proxy.close()
  await browser.close()
  return figures
}

function toFigures(
  root: string,
  { path, goals }: VisitCase,
  visits: readonly Visit[],
  floor: readonly Visit[],
): Figure[] {
  const getMedian = (list: readonly Visit[], read: (visit: Visit) => number) => median(list.map(read))
  const [page] = path.split('?')
  const scripts = visits.at(-1)?.scripts ?? []
  const time = { unit: 'ms', bound: 'max' as const }
  const lcp = {
    ...time,
    label: `${page}: LCP, mobile, median`,
    value: getMedian(visits, (visit) => visit.lcp),
    ...(page === '/' && { baseline: getMedian(floor, (visit) => visit.lcp) }),
  }
  return [
    {
      ...time,
      label: `${page}: FCP, mobile, median`,
      value: getMedian(visits, (visit) => visit.fcp),
      goal: goals.fcp,
      baseline: getMedian(floor, (visit) => visit.fcp),
    },
    ...(goals.lcp === null ? [] : [{ ...lcp, goal: goals.lcp }]),
    {
      ...time,
      label: `${page}: blocking time, mobile, median`,
      value: getMedian(visits, (visit) => visit.blocked),
      goal: goals.blocked,
    },
    {
      label: `${page}: layout shift, mobile, median`,
      value: getMedian(visits, (visit) => visit.shift),
      unit: '',
      goal: 0.01,
      bound: 'max',
    },
    {
      label: `${page}: JavaScript of one visit`,
      value: getScriptKib(root, scripts),
      unit: 'KiB gzip',
      goal: goals.kib,
      bound: 'max',
    },
    {
      label: `${page}: JavaScript files of one visit`,
      value: scripts.length,
      unit: 'files',
      goal: MAX_SCRIPT_FILES,
      bound: 'max',
    },
  ]
}

/** Returns the size of the scripts in KiB, each compressed separately. */
function getScriptKib(root: string, scripts: readonly string[]): number {
  const files = scripts.map((path) => join(root, 'dist/client', path)).filter((file) => existsSync(file))
  return getGzipKib(files.map((file) => readFileSync(file, 'utf8')))
}

async function buildBaselinePage(origin: string): Promise<string> {
  const home = await (await fetch(origin)).text()
  const [imageUrl] = /data:image\/[^"]+/.exec(home) ?? []
  if (!imageUrl) throw new Error('The HTML of the home page has no inline image.')
  const viewport = '<meta name="viewport" content="width=device-width">'
  return `<!doctype html><html lang="en"><title>Floor</title>${viewport}<p>Porchlight</p><img src="${imageUrl}" width="372" height="209" alt="" decoding="sync">`
}

/** Observes `RUNS` visits after a first one, during which the proxy compresses the portal's files. */
async function observeVisits(
  browser: Browser,
  proxy: CdnProxy,
  path: string,
  storageState: StorageState,
): Promise<Visit[]> {
  const visits: Visit[] = []
  for (let run = 0; run <= RUNS; run++) visits.push(await observeVisit(browser, proxy, path, storageState))
  return visits.slice(1)
}

async function observeVisit(
  browser: Browser,
  proxy: CdnProxy,
  path: string,
  storageState: StorageState,
): Promise<Visit> {
  const page = await openProfilePage(browser, 'mobile', storageState)
  await page.addInitScript(recordEntries)
  await page.goto(proxy.origin + path, { waitUntil: 'commit' })
  await page.waitForTimeout(OBSERVATION_MS)
  const visit = await page.evaluate(readVisit)
  await page.context().close()
  return visit
}

type RecordedEntries = Record<
  string,
  { startTime: number; duration: number; value?: number; hadRecentInput?: boolean }[]
>

/** Runs in the page before all other scripts: records the browser's performance entries. */
function recordEntries(): void {
  const recorded: RecordedEntries = ((globalThis as { recorded?: RecordedEntries }).recorded = {})
  for (const type of ['longtask', 'layout-shift', 'largest-contentful-paint', 'paint'])
    new PerformanceObserver((list) => (recorded[type] ??= []).push(...list.getEntries())).observe({
      type,
      buffered: true,
    })
}

/** Runs in the page: summarizes the recorded entries. */
function readVisit(): Visit {
  const recorded = (globalThis as { recorded?: RecordedEntries }).recorded ?? {}
  const [fcp] = performance.getEntriesByName('first-contentful-paint')
  const fcpAt = fcp?.startTime ?? Number.NaN
  const tasks = (recorded['longtask'] ?? []).filter((task) => task.startTime + task.duration > fcpAt)
  const shifts = (recorded['layout-shift'] ?? []).filter(({ hadRecentInput }) => !hadRecentInput)
  const scripts = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  return {
    fcp: fcpAt,
    lcp: recorded['largest-contentful-paint']?.at(-1)?.startTime ?? Number.NaN,
    blocked: tasks.reduce(
      (sum, task) => sum + Math.max(0, task.startTime + task.duration - Math.max(task.startTime, fcpAt) - 50),
      0,
    ),
    shift: shifts.reduce((sum, { value = 0 }) => sum + value, 0),
    scripts: [...new Set(scripts.filter((path) => path.endsWith('.js')))],
  }
}
