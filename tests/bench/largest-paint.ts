import type { Browser } from 'playwright'
import { median, openBrowser, signedIn } from './browser.ts'
import { openAs, type StorageState } from './first-look.ts'
import { type FrontDoor, openFrontDoor } from './front-door.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const RUNS = 3
/** Time after which no larger paint follows, ms. */
const COMPLETE_MS = 5000

const NOBODY: StorageState = { cookies: [], origins: [] }

/** Path of a page with one line of text and the home page's inline image, without styles or scripts. */
const FLOOR = '/floor'

/**
 * Measures the largest contentful paint on a phone with an empty cache: of the home page and its floor page for a
 * signed-out visitor, and of /live and /events for a signed-in account.
 */
export async function measureLargestPaints(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const door = await openFrontDoor(system.origin, { [FLOOR]: await floorPage(system.origin) })
  const { context } = await signedIn(browser, system.origin, '/live')
  const { cookies } = await context.storageState()
  await context.close()
  const figures: Figure[] = []
  const storageState: StorageState = { cookies, origins: [] }
  for (const [path, visitorState, goal] of [
    ['/', NOBODY, 900],
    ['/live', storageState, 2500],
    ['/events', storageState, 2500],
  ] as const) {
    const value = await medianPaint(browser, door, path, visitorState)
    const floor = path === '/' ? await medianPaint(browser, door, FLOOR, visitorState) : undefined
    figures.push({
      what: `${path}: LCP, mobile, median`,
      value,
      unit: 'ms',
      goal,
      bound: 'max',
      ...(floor && { floor }),
    })
  }
  door.close()
  await browser.close()
  return figures
}

async function floorPage(origin: string): Promise<string> {
  const home = await (await fetch(origin)).text()
  const [picture] = /data:image\/[^"]+/.exec(home) ?? []
  if (!picture) throw new Error('The document of the home page has no picture.')
  const viewport = '<meta name="viewport" content="width=device-width">'
  return `<!doctype html><html lang="en"><title>Floor</title>${viewport}<p>Porchlight</p><img src="${picture}" width="372" height="209" alt="" decoding="sync">`
}

/** Returns the median without the first visit, in which the proxy (front-door.ts) compresses the portal's files. */
async function medianPaint(
  browser: Browser,
  door: FrontDoor,
  path: string,
  storageState: StorageState,
): Promise<number> {
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) times.push(await largestPaint(browser, door, path, storageState))
  return median(times.slice(1))
}

async function largestPaint(
  browser: Browser,
  door: FrontDoor,
  path: string,
  storageState: StorageState,
): Promise<number> {
  const page = await openAs(browser, 'mobile', storageState)
  await page.goto(door.origin + path, { waitUntil: 'commit' })
  await page.waitForTimeout(COMPLETE_MS)
  const time = await page.evaluate(lastOfThem)
  await page.context().close()
  return time
}

/** Runs in the page: returns the time of the last largest-contentful-paint entry, ms since the navigation. */
function lastOfThem(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
  })
}
