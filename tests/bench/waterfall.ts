import type { Page } from 'playwright'
import { median, pressWithMouse } from './browser.ts'

/** Names and times of loading steps, ms since the navigation or the mouse press. */
export type TimingMarks = readonly (readonly [what: string, at: number])[]

/** Runs in the page before all other scripts: records marks for sockets, media and frames. */
export function recordMarks(): void {
  const marks: [string, number][] = ((globalThis as { marks?: [string, number][] }).marks = [])
  const markOnce = (label: string) => marks.some(([name]) => name === label) || marks.push([label, performance.now()])
  const { WebSocket: PlainWebSocket, MediaSource: PlainMediaSource } = window
  window.WebSocket = class extends PlainWebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      markOnce('first socket requested')
      this.addEventListener('open', () => markOnce('first socket open'))
      this.addEventListener('message', ({ data }) => typeof data === 'string' || markOnce('first media received'))
    }
  }
  const add = PlainMediaSource.prototype.addSourceBuffer
  PlainMediaSource.prototype.addSourceBuffer = function (type) {
    markOnce('first media source open')
    return add.call(this, type)
  }
  const scannedVideos = new WeakSet<Element>()
  const scan = () => {
    if (document.querySelector('[data-camera]')) markOnce('first tile in the document')
    if (document.querySelector('[data-event]')) markOnce('first event in the document')
    if (document.querySelector('.phone-bar b:not(:empty)')) markOnce('price in the document')
    for (const video of document.querySelectorAll('video')) {
      if (scannedVideos.has(video)) continue
      scannedVideos.add(video)
      markOnce('first video in the document')
      video.addEventListener('loadeddata', () => markOnce('first frame decoded'))
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
  document.addEventListener('DOMContentLoaded', () => markOnce('document parsed'))
}

/** Returns the marks that the browser and `recordMarks` have recorded on this page so far. */
export async function readMarks(page: Page): Promise<TimingMarks> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const filterResources = (path: RegExp) =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) => path.test(name))
    const scripts = filterResources(/\.js(\?|$)/).filter(({ startTime }) => startTime < 2000)
    const createRequestMarks = (label: string, path: RegExp): [string, number][] => {
      const [first] = filterResources(path)
      return first
        ? [
            [`${label} requested`, first.startTime],
            [`${label} received`, first.responseEnd],
          ]
        : []
    }
    const frames = ((globalThis as { marks?: [string, number][] }).marks ?? []).filter(([name]) => name === 'frame')
    const [, first = Number.NaN] = frames.toSorted(([, a], [, b]) => a - b)[0] ?? []
    const marks: [string, number][] = [
      ['first byte of the document', navigation?.responseStart ?? Number.NaN],
      ['document complete', navigation?.responseEnd ?? Number.NaN],
      ...createRequestMarks('current user', /\/api\/auth\/me/),
      ...createRequestMarks('cameras', /get-home-devices|home-devices|device.*list/),
      ...createRequestMarks('streams', /get-streams/),
      ...createRequestMarks('events', /event\/history/),
      ...createRequestMarks('price', /preview_purchase/),
      ['first paint', performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN],
      ['largest paint', (globalThis as { paints?: { largest: number } }).paints?.largest ?? Number.NaN],
      ['last initial script loaded', Math.max(...scripts.map(({ responseEnd }) => responseEnd))],
      ...((globalThis as { marks?: [string, number][] }).marks ?? []).filter(([name]) => name !== 'frame'),
      ['first frame displayed', first],
    ]
    return marks.filter(([, at]) => Number.isFinite(at)).toSorted(([, a], [, b]) => a - b)
  })
}

/** Presses an event's card with the mouse. Returns the marks up to the first frame of its clip, ms since the press. */
export async function measurePressMarks(page: Page): Promise<TimingMarks> {
  const card = page.locator('main a[data-event]').first()
  await card.waitFor()
  const press = await page.evaluateHandle(() => {
    const { marks = [] } = globalThis as { marks?: [string, number][] }
    const press = { at: Number.NaN }
    const onPress = ({ timeStamp }: PointerEvent) => {
      marks.length = 0
      press.at = timeStamp
    }
    addEventListener('pointerdown', onPress, { capture: true, once: true })
    return press
  })
  await pressWithMouse(page, card.locator('.truncate').first())
  await page.waitForFunction(() =>
    (globalThis as { marks?: [string, number][] }).marks?.some(([name]) => name === 'frame'),
  )
  return press.evaluate(({ at: pressedAt }) => {
    const resourcesSincePress = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      ({ startTime }) => startTime >= pressedAt,
    )
    const replayUrlRequest = resourcesSincePress.find(({ name }) => /archive/.test(name))
    const clipRequest = resourcesSincePress.find(({ initiatorType }) => initiatorType === 'video')
    const signedUrlRequest = resourcesSincePress.find(({ name }) => name.includes('/m/clips/'))
    const marks: [string, number][] = [
      ['replay call sent', replayUrlRequest?.startTime ?? Number.NaN],
      ['replay call answered', replayUrlRequest?.responseEnd ?? Number.NaN],
      ['signed URL requested', signedUrlRequest?.startTime ?? Number.NaN],
      ['signed URL received', signedUrlRequest?.responseEnd ?? Number.NaN],
      ['clip requested', clipRequest?.startTime ?? Number.NaN],
      ...((globalThis as { marks?: [string, number][] }).marks ?? []).filter(([name]) => !name.includes('event')),
    ]
    return marks
      .filter(([, at]) => Number.isFinite(at))
      .map(([label, at]) => [label === 'frame' ? 'first frame displayed' : label, at - pressedAt] as const)
      .toSorted(([, a], [, b]) => a - b)
  })
}

/** Formats a table with the median time of each step over several visits, and its delay after the previous step. */
export function formatWaterfall(visits: readonly TimingMarks[], since = 'the navigation'): string {
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
