import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { getGzipKib } from '../../scripts/lib/page-weight.ts'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import { type CdnProxy, startCdnProxy } from './cdn-proxy.ts'
import type { Figure } from './figure.ts'
import { openProfilePage, type Profile, type StorageState } from './first-screen.ts'
import { PLAN_PATH } from './floor-pages.ts'
import type { System } from './system.ts'
import { formatWaterfall, readMarks, recordMarks, type TimingMarks } from './waterfall.ts'

const RUNS = 3
/** Observation time of a visit, ms. The page loads completely in this time, including code for later clicks. */
const OBSERVATION_MS = 8000
/** Observation time of the baseline page, and of the unthrottled visit in which the proxy compresses the files, ms. */
const SHORT_OBSERVATION_MS = 2500
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
    path: PLAN_PATH,
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

/** A visit with its loading steps. */
type MarkedVisit = Visit & { readonly marks: TimingMarks }

/**
 * Measures visits on the mobile profile with an empty cache: first and largest paint, blocking time, layout shift,
 * scripts, and loading steps (`waterfalls`, Markdown). `root`: project folder with the build that `system` serves.
 */
export async function measureVisits(
  root: string,
  system: System,
): Promise<{ figures: Figure[]; waterfalls: string[] }> {
  const browser = await openBrowser()
  const proxy = await startCdnProxy(system.origin, { [BASELINE_PATH]: await buildBaselinePage(system.origin) })
  const { context } = await openSignedInPage(browser, system.origin, '/live')
  const { cookies } = await context.storageState()
  await context.close()
  const visitor: StorageState = { cookies: [], origins: [] }
  const floor = await observeVisits(browser, proxy, BASELINE_PATH, visitor, SHORT_OBSERVATION_MS)
  const figures: Figure[] = []
  const waterfalls: string[] = []
  for (const visitCase of VISIT_CASES) {
    const storageState = visitCase.isSignedIn ? { cookies, origins: [] } : visitor
    const visits = await observeVisits(browser, proxy, visitCase.path, storageState)
    figures.push(...toFigures(root, visitCase, visits, floor))
    const table = formatWaterfall(visits.map(({ marks }) => marks))
    waterfalls.push(`${visitCase.path}, mobile, empty cache, medians of ${RUNS}:\n\n${table}`)
  }
  proxy.close()
  await browser.close()
  return { figures, waterfalls }
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

/** Observes `RUNS` visits after an unthrottled one, in which the proxy compresses the portal's files. */
async function observeVisits(
  browser: Browser,
  proxy: CdnProxy,
  path: string,
  storageState: StorageState,
  observationMs = OBSERVATION_MS,
): Promise<MarkedVisit[]> {
  const visitPage = async (profile: Profile, ms: number) => {
    const page = await openProfilePage(browser, profile, storageState)
    await page.addInitScript(recordEntries)
    await page.addInitScript(recordMarks)
    await page.goto(proxy.origin + path, { waitUntil: 'commit' })
    await page.waitForTimeout(ms)
    const visit = { ...(await page.evaluate(readVisit)), marks: await readMarks(page) }
    await page.context().close()
    return visit
  }
  await visitPage('desktop', SHORT_OBSERVATION_MS)
  const visits: MarkedVisit[] = []
  for (let run = 0; run < RUNS; run++) visits.push(await visitPage('mobile', observationMs))
  return visits
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
