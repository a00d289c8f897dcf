import type { Browser } from 'playwright'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import { openProfilePage, type StorageState } from './first-screen.ts'
import { type CdnProxy, startCdnProxy } from './cdn-proxy.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const RUNS = 3
/** Time for which the benchmark observes a page, ms. No larger paint follows after this time. */
const OBSERVATION_MS = 5000

const SIGNED_OUT_STATE: StorageState = { cookies: [], origins: [] }

/** Path of the baseline page: one line of text and the home page's inline image, without styles or scripts. */
const BASELINE_PATH = '/floor'

/**
 * Measures the largest contentful paint on the mobile profile with an empty cache. The home page and its baseline page
 * are opened signed out, /live and /events signed in.
 */
export async function measureLargestPaints(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const proxy = await startCdnProxy(system.origin, { [BASELINE_PATH]: await buildBaselinePage(system.origin) })
  const { context } = await openSignedInPage(browser, system.origin, '/live')
  const { cookies } = await context.storageState()
  await context.close()
  const figures: Figure[] = []
  const storageState: StorageState = { cookies, origins: [] }
  for (const [path, visitorState, goal] of [
    ['/', SIGNED_OUT_STATE, 900],
    ['/live', storageState, 2500],
    ['/events', storageState, 2500],
  ] as const) {
    const value = await measureMedianPaint(browser, proxy, path, visitorState)
    const baseline = path === '/' ? await measureMedianPaint(browser, proxy, BASELINE_PATH, visitorState) : undefined
    figures.push({
      label: `${path}: LCP, mobile, median`,
      value,
      unit: 'ms',
      goal,
      bound: 'max',
      ...(baseline && { baseline }),
    })
  }
  proxy.close()
  await browser.close()
  return figures
}

async function buildBaselinePage(origin: string): Promise<string> {
  const home = await (await fetch(origin)).text()
  const [imageUrl] = /data:image\/[^"]+/.exec(home) ?? []
  if (!imageUrl) throw new Error('The HTML of the home page has no inline image.')
  const viewport = '<meta name="viewport" content="width=device-width">'
  return `<!doctype html><html lang="en"><title>Floor</title>${viewport}<p>Porchlight</p><img src="${imageUrl}" width="372" height="209" alt="" decoding="sync">`
}

/** Returns the median without the first visit, during which the proxy compresses the portal's files. */
async function measureMedianPaint(
  browser: Browser,
  proxy: CdnProxy,
  path: string,
  storageState: StorageState,
): Promise<number> {
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) times.push(await measureLargestPaint(browser, proxy, path, storageState))
  return median(times.slice(1))
}

async function measureLargestPaint(
  browser: Browser,
  proxy: CdnProxy,
  path: string,
  storageState: StorageState,
): Promise<number> {
  const page = await openProfilePage(browser, 'mobile', storageState)
  await page.goto(proxy.origin + path, { waitUntil: 'commit' })
  await page.waitForTimeout(OBSERVATION_MS)
  const time = await page.evaluate(readLargestPaint)
  await page.context().close()
  return time
}

/** Runs in the page: returns the time of the last largest-contentful-paint entry, ms since the navigation. */
function readLargestPaint(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
  })
}
