import { median, openBrowser, openSignedInPage } from './browser.ts'
import { measureClipBaseline } from './floors.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const RUNS = 7

/** Delay before a click, ms: the page prefetches scripts in this time, as it does while a user reads the list. */
const SETTLE_MS = 1500

/** Measures the time from a click on an event to the first frame of its clip, and from a seek to the new frame. */
export async function measureClips(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { context, page } = await openSignedInPage(browser, system.origin, '/events')
  const [clickTimes, seekTimes, ids]: [number[], number[], string[]] = [[], [], []]
  for (let run = 0; run < RUNS; run++) {
    await page.goto(`${system.origin}/events`)
    const card = page.locator('main a[data-event]').nth(run)
    await card.waitFor()
    await page.waitForTimeout(SETTLE_MS)
    ids.push((await card.getAttribute('data-event')) ?? '')
    clickTimes.push(await card.evaluate(openClip))
    seekTimes.push(await page.evaluate(seekClip))
  }
  const finiteSeeks = seekTimes.filter(Number.isFinite)
  const floor = await measureClipBaseline(context, system.origin, ids)
  await browser.close()
  return [
    { ...createFigure('events: click to first frame of the clip, median', clickTimes, 90), baseline: floor },
    createFigure('events: seek within the clip to its frame, median', finiteSeeks, 100),
  ]
}

function createFigure(label: string, values: number[], goal: number): Figure {
  return { label, value: median(values), unit: 'ms', goal, bound: 'max' }
}

/** Runs in the page: clicks the card. Resolves with the ms until the first frame of the clip. */
function openClip(card: HTMLElement | SVGElement): Promise<number> {
  return new Promise((resolve) => {
    const started = performance.now()
    const pollForVideo = () => {
      const video = document.querySelector('video')
      if (video) video.requestVideoFrameCallback(() => resolve(performance.now() - started))
      else requestAnimationFrame(pollForVideo)
    }
    ;(card as HTMLElement).click()
    pollForVideo()
  })
}

/**
 * Runs in the page: seeks to the middle of the clip. Resolves with the ms until the end of the seek, or with NaN if
 * there is no clip or its event is in progress.
 */
function seekClip(): Promise<number> {
  return new Promise((resolve) => {
    const video = document.querySelector('video')
    if (!video || !Number.isFinite(video.duration)) return resolve(Number.NaN)
    video.pause()
    const started = performance.now()
    video.addEventListener('seeked', () => resolve(performance.now() - started), { once: true })
    video.currentTime = video.duration / 2
  })
}
