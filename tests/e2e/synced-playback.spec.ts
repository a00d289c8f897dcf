import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { IN_STEP_MS } from '../../src/media/sync/sync-correction.ts'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { findings } from '../support/axe.ts'
import { openVisits, type Visit } from '../support/visits.ts'

test.use({ storageState: SIGNED_IN.owner })

async function visit(page: Page): Promise<Visit> {
  const { visits } = await openVisits(page, '/events')
  const [first] = visits
  if (!first) throw new Error('nothing was seen by three cameras')
  return first
}

const view = (page: Page) => page.getByRole('region', { name: 'Same time' })
const videos = (page: Page) => view(page).locator('video')
const badge = (page: Page) => view(page).locator('[data-spread]')

/** Waits until at least `atLeast` of the videos play. */
async function expectPlaying(page: Page, atLeast: number): Promise<void> {
  const playing = () =>
    videos(page).evaluateAll(
      (all: HTMLVideoElement[]) => all.filter((video) => !video.paused && video.currentTime > 0).length,
    )
  await expect.poll(playing).toBeGreaterThanOrEqual(atLeast)
}

const clipAddress = ({ event }: Visit) => `/events?event=${event.event_id}&camera=${event.device_id}`

test('a clip recorded by several cameras plays on all of them, synchronized within 0.1 seconds', async ({ page }) => {
  const found = await visit(page)
  await page.goto(clipAddress(found))
  await page.getByRole('button', { name: 'Watch in step' }).click()
  await expect(page).toHaveURL(/[?&]at=\d{13}/)
  await page.goto(`${clipAddress(found)}&at=${found.at}`)
  await expectPlaying(page, 3)
  await expect(view(page).getByText(/[3-6] of 6 cameras recorded it/)).toBeVisible()
  await expect.poll(async () => Number(await badge(page).getAttribute('data-spread'))).toBeLessThanOrEqual(IN_STEP_MS)
  await expect(badge(page)).toHaveText(/In step, 0\.\d\d s apart/)
})

test(
  'a saved frame has the recorded size and is named after its camera and time',
  { tag: '@all' },
  async ({ page }) => {
    const { event, at } = await visit(page)
    await page.goto(`/events?event=${event.event_id}&at=${at}`)
    await expectPlaying(page, 3)
    await page.keyboard.press('Space')
    const figure = view(page)
      .locator('figure')
      .filter({ has: page.getByRole('button', { name: /^Save the picture of / }) })
    const button = figure.first().getByRole('button', { name: /^Save the picture of / })
    const camera = (await button.getAttribute('aria-label'))?.slice('Save the picture of '.length)
    // The frame at which playback pauses may appear after the key press, so read the clock at the click.
    const pressed = figure.first().evaluate(
      (element) =>
        new Promise<string>((tell) => {
          const clock = () => tell(element.querySelector('.same-time-clock')?.textContent ?? '')
          element.addEventListener('click', clock, { capture: true, once: true })
        }),
    )
    const [file, clock] = await Promise.all([page.waitForEvent('download'), pressed, button.click()])
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
    // Settled: the file is saved, and a video that has played has its size.
    expect(size).toEqual(recorded)
  },
)

test(
  'single-frame steps by button or key move all videos by a fifteenth of a second',
  { tag: '@all' },
  async ({ page }) => {
    const { event, at } = await visit(page)
    await page.goto(`/events?event=${event.event_id}&at=${at}`)
    await expectPlaying(page, 3)
    await page.keyboard.press('Space')
    await expect(view(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
    const stands = () =>
      videos(page).evaluateAll((all: HTMLVideoElement[]) => all.every((video) => video.paused && !video.seeking))
    await expect.poll(stands).toBe(true)
    const slider = view(page).getByRole('slider')
    const moment = async () => Number(await slider.getAttribute('aria-valuenow'))
    const before = await moment()
    await view(page).getByRole('button', { name: 'One frame forward' }).click()
    await expect.poll(async () => (await moment()) - before).toBeGreaterThanOrEqual(66)
    // Settled: the videos are paused and have made their step.
    expect((await moment()) - before).toBeLessThanOrEqual(67)
    await page.keyboard.press(',')
    await page.keyboard.press(',')
    await expect.poll(async () => before - (await moment())).toBeGreaterThanOrEqual(66)
    await page.keyboard.press('j')
    await expect.poll(async () => before - (await moment())).toBeGreaterThan(10_000)
    // The URL contains the position, so a copy of the URL opens the same moment.
    await expect.poll(() => Number(new URL(page.url()).searchParams.get('at'))).toBe(await moment())
  },
)

test('Back and Esc return to the clip, and a number key enlarges a camera', { tag: '@all' }, async ({ page }) => {
  const found = await visit(page)
  await page.goto(clipAddress(found))
  const watch = page.getByRole('button', { name: 'Watch in step' })
  await watch.click()
  await expect(videos(page).first()).toBeVisible()
  const large = view(page).locator('li[data-large] figure')
  const first = await large.innerText()
  await page.keyboard.press('2')
  await expect(view(page).locator('li[data-large]')).toHaveCount(1)
  await expect.poll(() => large.innerText()).not.toBe(first)
  await page.goBack()
  await expect(view(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Clip' })).toBeVisible()
  await watch.click()
  await expect(videos(page).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(view(page)).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`event=${found.event.event_id}`))
})

test('a moment without any recording says so and leads back', { tag: '@all' }, async ({ page }) => {
  await page.goto(`/events?at=${Date.UTC(2020, 0, 1, 12)}`)
  await expect(view(page).getByRole('alert')).toBeVisible()
  await view(page).getByRole('button', { name: 'Back to the events' }).click()
  await expect(view(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/events$/)
})

test(
  'on a phone the large video is above the others, nothing overflows, and all have names',
  { tag: '@all' },
  async ({ page }) => {
    const { event, at } = await visit(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/events?event=${event.event_id}&at=${at}`)
    await expectPlaying(page, 3)
    const widths = () =>
      view(page)
        .locator('figure')
        .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().width))
    await expect.poll(async () => Math.max(...(await widths()))).toBeGreaterThan(380)
    await expect.poll(async () => Math.min(...(await widths()))).toBeLessThan(195)
    await expect.poll(() => view(page).evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    expect(await findings(page, 'light', '.same-time')).toEqual([])
  },
)
