import type { Page } from 'playwright'
import { openBrowser, signedIn } from './browser.ts'
import { openAs, type StorageState } from './first-look.ts'
import { openFrontDoor } from './front-door.ts'
import type { System } from './system.ts'
import { readMarks, marksOfClick, recordMarks, waterfallTable, type Marks } from './waterfall.ts'

const RUNS = 3
const REST_MS = 1000
/**
 * Time after which a page is complete and is inspected, ms: `WARM_MS` with a warm cache, `COLD_MS` with an empty cache.
 */
const WARM_MS = 2500
const COLD_MS = 7000

/** Measures the steps that lead to the first frames and the first lists of a page. Returns Markdown sections. */
export async function measureWaterfalls(system: System): Promise<string[]> {
  const browser = await openBrowser()
  const { context, page } = await signedIn(browser, system.origin, '/live')
  await context.addInitScript(recordMarks)
  const warm = await visits(page, `${system.origin}/live`, WARM_MS)
  const door = await openFrontDoor(system.origin)
  const { cookies } = await context.storageState()
  const storageState: StorageState = { cookies, origins: [] }
  const cold = async (path: string, state = storageState): Promise<string> => {
    const seen: Marks[] = []
    for (let run = 0; run < RUNS; run++) {
      const mobile = await openAs(browser, 'mobile', state)
      await mobile.addInitScript(recordMarks)
      seen.push(await visit(mobile, door.origin + path, COLD_MS))
      await mobile.context().close()
    }
    return waterfallTable(seen)
  }
  const texts = [
    `/, mobile, empty cache, medians of ${RUNS}:\n\n${await cold('/', { cookies: [], origins: [] })}`,
    `/live, desktop, warm cache, medians of ${RUNS}:\n\n${warm}`,
    `/live, mobile, empty cache, medians of ${RUNS}:\n\n${await cold('/live')}`,
    `/events, mobile, empty cache, medians of ${RUNS}:\n\n${await cold('/events')}`,
    `/events, desktop, a click on an event, medians of ${RUNS}:\n\n${await clicks(page, `${system.origin}/events`)}`,
  ]
  door.close()
  await browser.close()
  return texts
}

async function visits(page: Page, address: string, ms: number): Promise<string> {
  const seen: Marks[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.goto('about:blank')
    await page.waitForTimeout(REST_MS)
    seen.push(await visit(page, address, ms))
  }
  return waterfallTable(seen)
}

async function clicks(page: Page, address: string): Promise<string> {
  const seen: Marks[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.goto(address)
    await page.waitForTimeout(WARM_MS)
    seen.push(await marksOfClick(page))
  }
  return waterfallTable(seen, 'the click')
}

async function visit(page: Page, address: string, ms: number): Promise<Marks> {
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForTimeout(ms)
  return readMarks(page)
}
