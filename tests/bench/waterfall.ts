import type { Page } from 'playwright'
import { median } from './browser.ts'

/** Named steps and their times, ms since the navigation. */
export type Marks = readonly (readonly [what: string, at: number])[]

/**
 * Runs in the page before all other scripts: records sockets, media and frames in addition to the browser's own
 * performance entries.
 */
export function recordMarks(): void {
  const marks: [string, number][] = ((globalThis as { marks?: [string, number][] }).marks = [])
  const once = (label: string) => marks.some(([name]) => name === label) || marks.push([label, performance.now()])
  const { WebSocket: Plain, MediaSource: Source } = window
  window.WebSocket = class extends Plain {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols)
      once('first socket asked for')
      this.addEventListener('open', () => once('first socket open'))
      this.addEventListener('message', ({ data }) => typeof data === 'string' || once('first media received'))
    }
  }
  const add = Source.prototype.addSourceBuffer
  Source.prototype.addSourceBuffer = function (type) {
    once('first media source open')
    return add.call(this, type)
  }
  const scannedVideos = new WeakSet<Element>()
  const scan = () => {
    if (document.querySelector('[data-camera]')) once('first tile in the document')
    if (document.querySelector('[data-event]')) once('first event in the document')
    for (const video of document.querySelectorAll('video')) {
      if (scannedVideos.has(video)) continue
      scannedVideos.add(video)
      once('first video in the document')
      video.addEventListener('loadeddata', () => once('first picture decoded'))
      video.requestVideoFrameCallback((now) => marks.push(['frame', now]))
    }
  }
  const paints: { largest: number } = ((globalThis as { paints?: { largest: number } }).paints = {
    largest: Number.NaN,
  })
  new PerformanceObserver((list) => (paints.largest = list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
    type: 'largest-contentful-paint',
    buffered: true,
  })
  new MutationObserver(scan).observe(document, { childList: true, subtree: true })
  document.addEventListener('DOMContentLoaded', () => once('document read'))
}

/** Returns the marks that the browser and `recordMarks` have recorded on this page so far. */
export async function readMarks(page: Page): Promise<Marks> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const of = (path: RegExp) =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) => path.test(name))
    const scripts = of(/\.js(\?|$)/).filter(({ startTime }) => startTime < 2000)
    const named = (label: string, path: RegExp): [string, number][] => {
      const [first] = of(path)
      return first
        ? [
            [`${label} asked`, first.startTime],
            [`${label} answered`, first.responseEnd],
          ]
        : []
    }
    const frames = ((globalThis as { marks?: [string, number][] }).marks ?? []).filter(([name]) => name === 'frame')
    const [, first = Number.NaN] = frames.toSorted(([, a], [, b]) => a - b)[0] ?? []
    const marks: [string, number][] = [
      ['document begins to come', navigation?.responseStart ?? Number.NaN],
      ['document complete', navigation?.responseEnd ?? Number.NaN],
      ...named('who is signed in', /\/api\/auth\/me/),
      ...named('cameras', /get-home-devices|home-devices|device.*list/),
      ...named('streams', /get-streams/),
      ...named('events', /event\/history/),
      ['first paint', performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN],
      ['largest paint', (globalThis as { paints?: { largest: number } }).paints?.largest ?? Number.NaN],
      ['last of the first scripts here', Math.max(...scripts.map(({ responseEnd }) => responseEnd))],
      ...((globalThis as { marks?: [string, number][] }).marks ?? []).filter(([name]) => name !== 'frame'),
      ['first frame on the screen', first],
    ]
    return marks.filter(([, at]) => Number.isFinite(at)).toSorted(([, a], [, b]) => a - b)
  })
}

/** Returns the marks from a click on an event's card to the first frame of its clip, ms since the click. */
export async function marksOfClick(page: Page): Promise<Marks> {
  const card = page.locator('main a[data-event]').first()
  await card.waitFor()
  const clicked = await card.evaluate((link) => {
    const { marks = [] } = globalThis as { marks?: [string, number][] }
    marks.length = 0
    const at = performance.now()
    ;(link as HTMLElement).click()
    return at
  })
  await page.waitForFunction(() =>
    (globalThis as { marks?: [string, number][] }).marks?.some(([name]) => name === 'frame'),
  )
  return page.evaluate((clicked) => {
    const since = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      ({ startTime }) => startTime >= clicked,
    )
    const address = since.find(({ name }) => /archive/.test(name))
    const clip = since.find(({ initiatorType }) => initiatorType === 'video')
    const marks: [string, number][] = [
      ['address of the clip asked', address?.startTime ?? Number.NaN],
      ['address of the clip answered', address?.responseEnd ?? Number.NaN],
      ['clip asked', clip?.startTime ?? Number.NaN],
      ...((globalThis as { marks?: [string, number][] }).marks ?? []).filter(([name]) => !name.includes('event')),
    ]
    return marks
      .filter(([, at]) => Number.isFinite(at))
      .map(([label, at]) => [label === 'frame' ? 'first frame on the screen' : label, at - clicked] as const)
      .toSorted(([, a], [, b]) => a - b)
  }, clicked)
}

/** Renders a table with the median time of each step over several visits, and the delay after the step before. */
export function waterfallTable(visits: readonly Marks[], since = 'the navigation'): string {
  const names = [...new Set(visits.flatMap((marks) => marks.map(([name]) => name)))]
  const rows = names
    .map((name) => ({
      name,
      at: median(visits.flatMap((marks) => marks.filter(([other]) => other === name).map(([, at]) => at))),
    }))
    .toSorted((a, b) => a.at - b.at)
  return [
    `| what | ms since ${since} | after the line above |`,
    '|---|---|---|',
    ...rows.map(
      ({ name, at }, index) => `| ${name} | ${at.toFixed(0)} | ${(at - (rows[index - 1]?.at ?? 0)).toFixed(0)} |`,
    ),
  ].join('\n')
}
