import type { Page } from 'playwright'
import { openBrowser, openSignedInPage } from './browser.ts'
import type { System } from './system.ts'
import { readMarks, measurePressMarks, recordMarks, formatWaterfall, type TimingMarks } from './waterfall.ts'

const RUNS = 3
const PAUSE_MS = 1000
/** Observation time, ms, in which a page loads completely with a warm cache. */
const OBSERVATION_MS = 2500

/**
 * Measures the steps from a navigation to the first frames, and from a mouse press to a clip, on desktop with a warm cache.
 * Returns Markdown sections. `measureVisits` (visits.ts) measures the visits with an empty cache.
 */
export async function measureWaterfalls(system: System): Promise<string[]> {
  const browser = await openBrowser()
  const { context, page } = await openSignedInPage(browser, system.origin, '/live')
  await context.addInitScript(recordMarks)
  const sections = [
    `/live, desktop, warm cache, medians of ${RUNS}:\n\n${await measureVisits(page, `${system.origin}/live`)}`,
    `/events, desktop, a mouse press on an event, medians of ${RUNS}:\n\n${await measurePresses(page, `${system.origin}/events`)}`,
  ]
  await browser.close()
  return sections
}

async function measureVisits(page: Page, url: string): Promise<string> {
  const marksPerRun: TimingMarks[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.goto('about:blank')
    await page.waitForTimeout(PAUSE_MS)
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForTimeout(OBSERVATION_MS)
    marksPerRun.push(await readMarks(page))
  }
  return formatWaterfall(marksPerRun)
}

async function measurePresses(page: Page, url: string): Promise<string> {
  const marksPerRun: TimingMarks[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.goto(url)
    await page.waitForTimeout(OBSERVATION_MS)
    marksPerRun.push(await measurePressMarks(page))
  }
  return formatWaterfall(marksPerRun, 'the press')
}
