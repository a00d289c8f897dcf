import type { Page } from 'playwright'
import { median, openBrowser, openSignedInPage, pressWithMouse } from './browser.ts'
import { measureClipBaseline } from './floors.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

/** Number of opened clips. */
const RUNS = 9

/** Delay before a click, ms: the page prefetches scripts in this time, as it does while a user reads the list. */
const SETTLE_MS = 1500

/**
 * Measures the time from a mouse press on an event to the first frame of its clip, and from a seek to the new frame. The
 * mouse button is released immediately: a user holds it longer, and the clip already loads in this time.
 */
export async function measureClips(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { context, page } = await openSignedInPage(browser, system.origin, '/events')
  const [clipTimes, seekTimes, ids]: [number[], number[], string[]] = [[], [], []]
  for (let run = 0; run < RUNS; run++) {
    const { timeMs, eventId } = await measurePress(page, system.origin, run)
    clipTimes.push(timeMs)
    ids.push(eventId)
    seekTimes.push(await page.evaluate(seekClip))
  }
  const finiteSeeks = seekTimes.filter(Number.isFinite)
  const floor = await measureClipBaseline(context, system.origin, ids)
  await browser.close()
  return [
    { ...createFigure('events: mouse press to first frame of the clip, median', clipTimes, 90), baseline: floor },
    createFigure('events: seek within the clip to its frame, median', finiteSeeks, 100),
  ]
}

/** Opens the page and presses the card at this position. */
async function measurePress(
  page: Page,
  origin: string,
  index: number,
): Promise<{ readonly timeMs: number; readonly eventId: string }> {
  await page.goto(`${origin}/events`)
  const card = page.locator('main a[data-event]').nth(index)
  await card.waitFor()
  await page.waitForTimeout(SETTLE_MS)
  await card.scrollIntoViewIfNeeded()
  await page.waitForTimeout(SETTLE_MS)
  const eventId = (await card.getAttribute('data-event')) ?? ''
  const measurement = await page.evaluateHandle(measurePressedClip)
  await pressWithMouse(page, card.locator('.truncate').first())
  return { timeMs: await measurement.evaluate(({ timeMs }) => timeMs), eventId }
}

function createFigure(label: string, values: number[], goal: number): Figure {
  return { label, value: median(values), unit: 'ms', goal, bound: 'max' }
}

/** Runs in the page: measures the ms from the next mouse press to the first frame of a clip in the stage. */
function measurePressedClip(): { timeMs: Promise<number> } {
  const timeMs = new Promise<number>((resolve) => {
    const watchStage = (pressedAt: number) =>
      new MutationObserver((_, observer) => {
        const video = document.querySelector<HTMLVideoElement>('.stage video')
        if (!video) return
        observer.disconnect()
        video.requestVideoFrameCallback(() => resolve(performance.now() - pressedAt))
      }).observe(document, { childList: true, subtree: true })
    addEventListener('pointerdown', ({ timeStamp }) => watchStage(timeStamp), { capture: true, once: true })
  })
  return { timeMs }
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
