import type { Page } from 'playwright/test'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { eventCards } from '../support/events.ts'
import { openPageWithSharedMoments } from '../support/shared-moments.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const REPLAY_URL = /\/replay_url/

async function openFirstClip(page: Page): Promise<void> {
  await page.goto('/events?days=60&tags=104')
  await eventCards(page)
    .getByRole('link', { name: /^Person with a box/ })
    .first()
    .click()
}

/** Waits until the code of the clip stage, which loads when the pointer enters the list, has run. */
async function waitForStageCode(page: Page): Promise<void> {
  const findUrl = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').find(({ name }) => name.includes('/clip-stage-chunk'))?.name ?? '',
    )
  await expect.poll(findUrl).not.toBe('')
  await page.evaluate((url) => import(url) as Promise<unknown>, await findUrl())
}

test('CLIP-01 a clip plays before the replay call responds, and then shows its detections', async ({ page }) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(REPLAY_URL, async (route) => {
    await held
    await route.continue()
  })
  await openFirstClip(page)
  const video = page.locator('video[aria-label^=Clip]')
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0)
  await expect(page.getByRole('switch', { name: 'Show detections' })).toHaveCount(0)
  await video.evaluate((element) => (element.dataset['playing'] = ''))
  release()
  await expect(page.getByRole('switch', { name: 'Show detections' })).toBeVisible()
  await expect(page.locator('video[data-playing]')).toHaveCount(1)
})

interface OpeningSteps {
  readonly steps: string[]
  recordSteps(): void
}

/** Runs in the page before all other scripts: records the steps from now on until the page has rendered a clip. */
function recordOpeningSteps(): void {
  const page = globalThis as unknown as OpeningSteps
  const steps: string[] = []
  const addOnce = (step: string) => steps.includes(step) || steps.push(step)
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.includes('/replay_url')) addOnce('replay call')
    if (url.includes('/m/clip')) addOnce('URL of the clip')
    return fetch(input, init)
  }
  const createElement = document.createElement.bind(document) as (name: string) => HTMLElement
  document.createElement = ((name: string) => {
    const element = createElement(name)
    if (element instanceof HTMLVideoElement) element.requestVideoFrameCallback(() => addOnce('first frame'))
    return element
  }) as typeof document.createElement
  const observer = new MutationObserver(() => {
    if (document.querySelector('.stage video')) addOnce('video')
    if (document.querySelector('section[aria-label=Clip]')) addOnce('stage')
  })
  observer.observe(document, { childList: true, subtree: true })
  Object.assign(page, { steps, recordSteps: () => (steps.length = 0) })
}

test('an opened clip shows its first frame before React renders the stage, and loads without a redirect', async ({
  page,
}) => {
  const redirects: string[] = []
  page.on('request', (request) => request.redirectedFrom() && redirects.push(request.url()))
  await page.addInitScript(recordOpeningSteps)
  await page.goto('/events?days=60&tags=104')
  const card = eventCards(page).getByRole('link').first()
  await card.locator('.truncate').first().hover()
  await waitForStageCode(page)
  // The card may have started to play its clip under the pointer.
  await page.mouse.move(0, 0)
  await expect(page.locator('a[data-event] video')).toHaveCount(0)
  // The maximum wait for the first frame does not end while the clock is paused.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  await page.evaluate(() => (globalThis as unknown as OpeningSteps).recordSteps())
  redirects.length = 0
  await card.press('Enter')
  const listSteps = () => page.evaluate(() => (globalThis as unknown as OpeningSteps).steps)
  await expect.poll(listSteps).toContain('first frame')
  // Settled: React waits for the paused clock.
  const steps = await listSteps()
  expect(steps).toEqual(['video', 'first frame'])
  expect(redirects).toEqual([])
  const video = page.locator('video[aria-label^=Clip]')
  const box = await video.boundingBox()
  await video.evaluate((element) => (element.dataset['early'] = ''))
  await page.clock.resume()
  await expect(page.getByRole('region', { name: 'Clip' })).toBeVisible()
  await expect.poll(listSteps).toHaveLength(4)
  await expect(page.locator('.stage')).toHaveCount(1)
  await expect(page.locator('video[data-early]')).toHaveCount(1)
  await expect.poll(() => video.boundingBox()).toEqual(box)
  await expect
    .poll(() => video.evaluate(({ paused, currentTime }: HTMLVideoElement) => !paused && currentTime > 0))
    .toBe(true)
})

test('Back closes a clip that React has not rendered yet', async ({ page }) => {
  await page.goto('/events?days=60&tags=104')
  const card = eventCards(page).getByRole('link').first()
  await card.locator('.truncate').first().hover()
  await waitForStageCode(page)
  await page.mouse.move(0, 0)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  await card.press('Enter')
  await expect(page.locator('.stage video')).toBeVisible()
  await page.goBack()
  await expect(page.locator('.stage')).toHaveCount(0)
  await page.clock.resume()
  await expect(page.locator('.stage')).toHaveCount(0)
  await expect(page).toHaveURL(/events\?days=60&tags=104$/)
})

test('a clip loads once, from the press of the mouse button on, before clips of other cameras', async ({ page }) => {
  const sources: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/media/clip/')) sources.push(pathname)
  })
  await page.goto('/events?days=60&tags=104')
  const card = eventCards(page).getByRole('link').first()
  await expect(card).toBeVisible()
  await card.locator('.truncate').first().hover()
  await waitForStageCode(page)
  await page.mouse.down()
  const id = (await card.getAttribute('data-event')) ?? ''
  await expect.poll(() => sources).toEqual([`/media/clip/${id}`])
  await expect(page.locator('video[aria-label^=Clip]')).toHaveCount(0)
  await page.mouse.up()
  const video = page.locator('video[aria-label^=Clip]')
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0)
  expect(sources[0]).toBe(`/media/clip/${id}`)
  expect(sources.filter((source) => source === sources[0])).toHaveLength(1)
})

test('clips of other cameras load once the open clip plays', async ({ page }) => {
  const { moments } = await openPageWithSharedMoments(page, '/events')
  const event = moments[0]?.event
  if (!event) throw new Error('no moment was recorded by several cameras')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const sources: string[] = []
  await page.route(/\/m(?:edia)?\/clip\//, async (route) => {
    sources.push(new URL(route.request().url()).pathname)
    await held
    await route.continue()
  })
  await page.goto(`/events?event=${event.event_id}&camera=${event.device_id}`)
  const otherClips = page.locator('.companions video')
  // With a question about a person, the panel has no room to show them.
  await expect(otherClips.first()).toBeAttached()
  expect(sources.filter((source) => source !== `/media/clip/${event.event_id}`)).toEqual([])
  release()
  await expect.poll(() => otherClips.first().evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(0)
})

test('a clip that neither plays nor is confirmed says so, and plays after a retry', async ({ page, problems }) => {
  const requests = [REPLAY_URL, /\/m\/clips?\//]
  for (const request of requests) await page.route(request, (route) => route.abort())
  await openFirstClip(page)
  const alert = page.getByRole('region', { name: 'Clip' }).getByRole('alert')
  const retry = alert.getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible()
  removeExpectedProblems(problems, { network: /ERR_FAILED/, path: /replay_url|\/m\/clips?\// })
  for (const request of requests) await page.unroute(request)
  await retry.click()
  const video = page.locator('video[aria-label^=Clip]')
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0)
  await expect(alert).toHaveCount(0)
})
