import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { MAX_IN_SYNC_OFFSET_MS } from '../../src/media/sync/sync-correction.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { findViolations } from '../support/axe.ts'
import { openPageWithSharedMoments, type SharedMoment } from '../support/shared-moments.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

async function findVisit(page: Page): Promise<SharedMoment> {
  const { moments: visits } = await openPageWithSharedMoments(page, '/events')
  const [first] = visits
  if (!first) throw new Error('no visit was recorded by three cameras')
  return first
}

const syncedView = (page: Page) => page.getByRole('region', { name: 'Same time' })
const syncedVideos = (page: Page) => syncedView(page).locator('video')
const spreadBadge = (page: Page) => syncedView(page).locator('[data-spread]')

async function expectPlaying(page: Page, atLeast: number): Promise<void> {
  const playing = () =>
    syncedVideos(page).evaluateAll(
      (all: HTMLVideoElement[]) => all.filter((video) => !video.paused && video.currentTime > 0).length,
    )
  await expect.poll(playing).toBeGreaterThanOrEqual(atLeast)
}

/** Button in the panel of the open clip; the timeline has the same button. */
const watchButton = (page: Page) =>
  page.getByRole('region', { name: 'Clip' }).getByRole('button', { name: /^Watch \d+ cameras together$/ })
const formatClipUrl = ({ event }: SharedMoment) => `/events?event=${event.event_id}&camera=${event.device_id}`

test('a clip recorded by several cameras plays on all of them, synchronized within 0.1 seconds', async ({ page }) => {
  const found = await findVisit(page)
  await page.goto(formatClipUrl(found))
  await watchButton(page).click()
  await expect(page).toHaveURL(/[?&]at=\d{13}/)
  await page.goto(`${formatClipUrl(found)}&at=${found.at}`)
  await expectPlaying(page, 3)
  await expect(syncedView(page).getByText(/[3-6] of 6 cameras recorded this moment/)).toBeVisible()
  await expect
    .poll(async () => Number(await spreadBadge(page).getAttribute('data-spread')))
    .toBeLessThanOrEqual(MAX_IN_SYNC_OFFSET_MS)
  await expect(spreadBadge(page)).toHaveText(/In sync, 0\.\d\d s apart/)
})

test(
  'a saved frame has the recorded size and is named after its camera and time',
  { tag: '@all' },
  async ({ page }) => {
    const { event, at } = await findVisit(page)
    await page.goto(`/events?event=${event.event_id}&at=${at}`)
    await expectPlaying(page, 3)
    await page.keyboard.press('Space')
    const figure = syncedView(page)
      .locator('figure')
      .filter({ has: page.getByRole('button', { name: /^Save a snapshot of / }) })
    const button = figure.first().getByRole('button', { name: /^Save a snapshot of / })
    const camera = (await button.getAttribute('aria-label'))?.slice('Save a snapshot of '.length)
    // The paused frame may appear after the key press, so read the clock when the click happens.
    const clockAtClick = figure.first().evaluate(
      (element) =>
        new Promise<string>((resolve) => {
          const clock = () => resolve(element.querySelector('.same-time-clock')?.textContent ?? '')
          element.addEventListener('click', clock, { capture: true, once: true })
        }),
    )
    const [file, clock] = await Promise.all([page.waitForEvent('download'), clockAtClick, button.click()])
    const name = file.suggestedFilename()
    expect(name).toMatch(new RegExp(`^${camera} \\d{4}-\\d\\d-\\d\\d \\d\\d\\.\\d\\d\\.\\d\\d\\.jpg$`))
    expect(name.slice(-12, -4).replaceAll('.', ':')).toBe(clock.slice(0, 8))
    await expect(page.getByText(`Saved as “${name}”.`)).toBeVisible()
    const size = await page.evaluate(
      async (bytes) => {
        const { width, height } = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }))
        return { width, height }
      },
      [...readFileSync(await file.path())],
    )
    const recorded = await figure
      .first()
      .locator('video')
      .evaluate(({ videoWidth, videoHeight }: HTMLVideoElement) => ({ width: videoWidth, height: videoHeight }))
    // Settled: the file is saved, and the dimensions of a video are available once it has played.
    expect(size).toEqual(recorded)
  },
)

test(
  'single-frame steps by button or key move all videos by a fifteenth of a second',
  { tag: '@all' },
  async ({ page }) => {
    const { event, at } = await findVisit(page)
    await page.goto(`/events?event=${event.event_id}&at=${at}`)
    await expectPlaying(page, 3)
    await page.keyboard.press('Space')
    await expect(syncedView(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
    // Settled: the view plays, and its toolbar, as high as that of the live view, has a fixed height.
    expect(await page.locator('.same-time-head').boundingBox()).toMatchObject({ y: 76, height: 72 })
    const areAllPaused = () =>
      syncedVideos(page).evaluateAll((all: HTMLVideoElement[]) => all.every((video) => video.paused && !video.seeking))
    await expect.poll(areAllPaused).toBe(true)
    const slider = syncedView(page).getByRole('slider')
    const readPositionMs = async () => Number(await slider.getAttribute('aria-valuenow'))
    const before = await readPositionMs()
    await syncedView(page).getByRole('button', { name: 'Next frame' }).click()
    await expect.poll(async () => (await readPositionMs()) - before).toBeGreaterThanOrEqual(66)
    // Settled: the videos are paused and have made their step.
    expect((await readPositionMs()) - before).toBeLessThanOrEqual(67)
    await page.keyboard.press(',')
    await page.keyboard.press(',')
    await expect.poll(async () => before - (await readPositionMs())).toBeGreaterThanOrEqual(66)
    await page.keyboard.press('j')
    await expect.poll(async () => before - (await readPositionMs())).toBeGreaterThan(10_000)
    // The URL contains the position, so a copy of the URL opens the same moment.
    await expect.poll(() => Number(new URL(page.url()).searchParams.get('at'))).toBe(await readPositionMs())
  },
)

test('Back and Esc return to the clip, and a number key enlarges a camera', { tag: '@all' }, async ({ page }) => {
  const found = await findVisit(page)
  await page.goto(formatClipUrl(found))
  const watch = watchButton(page)
  await watch.click()
  await expect(syncedVideos(page).first()).toBeVisible()
  const large = syncedView(page).locator('li[data-large] figure')
  const first = await large.innerText()
  await page.keyboard.press('2')
  await expect(syncedView(page).locator('li[data-large]')).toHaveCount(1)
  await expect.poll(() => large.innerText()).not.toBe(first)
  await page.goBack()
  await expect(syncedView(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Clip' })).toBeVisible()
  await watch.click()
  await expect(syncedVideos(page).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(syncedView(page)).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`event=${found.event.event_id}`))
})

test('a moment without any recording says so and leads back', { tag: '@all' }, async ({ page }) => {
  await page.goto(`/events?at=${Date.UTC(2020, 0, 1, 12)}`)
  await expect(syncedView(page).getByRole('alert')).toBeVisible()
  await syncedView(page).getByRole('button', { name: 'Back to events' }).click()
  await expect(syncedView(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/events$/)
})

test(
  'on a phone the large video is above the others, nothing overflows, and all have names',
  { tag: '@all' },
  async ({ page }) => {
    const { event, at } = await findVisit(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/events?event=${event.event_id}&at=${at}`)
    await expectPlaying(page, 3)
    const readFigureWidths = () =>
      syncedView(page)
        .locator('figure')
        .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().width))
    await expect.poll(async () => Math.max(...(await readFigureWidths()))).toBeGreaterThan(380)
    await expect.poll(async () => Math.min(...(await readFigureWidths()))).toBeLessThan(195)
    await expect.poll(() => syncedView(page).evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    expect(await findViolations(page, 'light', '.same-time')).toEqual([])
  },
)
