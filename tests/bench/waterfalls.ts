import type { Page } from 'playwright'
import { openBrowser, openSignedInPage } from './browser.ts'
import { openProfilePage, type StorageState } from './first-screen.ts'
import { startCdnProxy } from './cdn-proxy.ts'
import type { System } from './system.ts'
import { readMarks, measureClickMarks, recordMarks, formatWaterfall, type TimingMarks } from './waterfall.ts'

const RUNS = 3
const PAUSE_MS = 1000
/** Observation times, ms, in which a page loads completely: with a warm cache, and with an empty cache. */
const WARM_OBSERVATION_MS = 2500
const COLD_OBSERVATION_MS = 7000

/** Measures the loading steps up to a page's first frames and first list items. Returns Markdown sections. */
export async function measureWaterfalls(system: System): Promise<string[]> {
  const browser = await openBrowser()
  const { context, page } = await openSignedInPage(browser, system.origin, '/live')
  await context.addInitScript(recordMarks)
  const warmTable = await measureVisits(page, `${system.origin}/live`, WARM_OBSERVATION_MS)
  const proxy = await startCdnProxy(system.origin)
  const { cookies } = await context.storageState()
  const storageState: StorageState = { cookies, origins: [] }
  const measureColdVisits = async (path: string, state = storageState): Promise<string> => {
    const marksPerRun: TimingMarks[] = []
    for (let run = 0; run < RUNS; run++) {
      const mobile = await openProfilePage(browser, 'mobile', state)
      await mobile.addInitScript(recordMarks)
      marksPerRun.push(await measureVisit(mobile, proxy.origin + path, COLD_OBSERVATION_MS))
      await mobile.context().close()
    }
    return formatWaterfall(marksPerRun)
  }
  const sections = [
    `/, mobile, empty cache, medians of ${RUNS}:\n\n${await measureColdVisits('/', { cookies: [], origins: [] })}`,
    `/live, desktop, warm cache, medians of ${RUNS}:\n\n${warmTable}`,
    `/live, mobile, empty cache, medians of ${RUNS}:\n\n${await measureColdVisits('/live')}`,
    `/events, mobile, empty cache, medians of ${RUNS}:\n\n${await measureColdVisits('/events')}`,
    `/events, desktop, a click on an event, medians of ${RUNS}:\n\n${await measureClicks(page, `${system.origin}/events`)}`,
  ]
  proxy.close()
  await browser.close()
  return sections
}

async function measureVisits(page: Page, url: string, ms: number): Promise<string> {
  const marksPerRun: TimingMarks[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.goto('about:blank')
    await page.waitForTimeout(PAUSE_MS)
    marksPerRun.push(await measureVisit(page, url, ms))
  }
  return formatWaterfall(marksPerRun)
}

async function measureClicks(page: Page, url: string): Promise<string> {
  const marksPerRun: TimingMarks[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.goto(url)
    await page.waitForTimeout(WARM_OBSERVATION_MS)
    marksPerRun.push(await measureClickMarks(page))
  }
  return formatWaterfall(marksPerRun, 'the click')
}

async function measureVisit(page: Page, url: string, ms: number): Promise<TimingMarks> {
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForTimeout(ms)
  return readMarks(page)
}
