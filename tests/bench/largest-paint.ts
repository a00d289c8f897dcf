import type { Browser } from 'playwright'
import { median, openBrowser, signedIn } from './browser.ts'
import { openAs, type Known } from './first-look.ts'
import { type FrontDoor, openFrontDoor } from './front-door.ts'
import type { Figure } from './main.ts'
import type { System } from './system.ts'

const RUNS = 5
/** By then nothing larger comes. */
const COMPLETE_MS = 7000

const NOBODY: Known = { cookies: [], origins: [] }

/** The largest contentful paint on a phone with an empty cache: of the home page for a visitor, of the two main pages signed in. */
export async function measureLargestPaints(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const door = await openFrontDoor(system.origin)
  const { context } = await signedIn(browser, system.origin, '/live')
  const { cookies } = await context.storageState()
  await context.close()
  const figures: Figure[] = []
  const known: Known = { cookies, origins: [] }
  for (const [path, who, goal] of [
    ['/', NOBODY, 900],
    ['/live', known, 2500],
    ['/events', known, 2500],
  ] as const) {
    const times: number[] = []
    for (let run = 0; run <= RUNS; run++) times.push(await largestPaint(browser, door, path, who))
    // The first visit has the portal compress its files.
    const value = median(times.slice(1))
    figures.push({ what: `${path}: LCP, mobile, median`, value, unit: 'ms', goal, bound: 'max' })
  }
  door.close()
  await browser.close()
  return figures
}

async function largestPaint(browser: Browser, door: FrontDoor, path: string, known: Known): Promise<number> {
  const page = await openAs(browser, 'mobile', known)
  await page.goto(door.origin + path, { waitUntil: 'commit' })
  await page.waitForTimeout(COMPLETE_MS)
  const time = await page.evaluate(lastOfThem)
  await page.context().close()
  return time
}

/** Runs in the page. */
function lastOfThem(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
  })
}
