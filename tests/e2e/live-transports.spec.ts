import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { chromium } from 'playwright/test'
import { browserOptions } from '../../scripts/tools.mjs'
import { expect, forgive, forgiveToTheEnd, SIGNED_IN, test } from '../support/e2e.ts'
import { RESULTS } from '../support/results.ts'
import { expectMoving } from '../support/moving.ts'

test.use({ storageState: SIGNED_IN.owner })

const live = (page: Page) => page.getByRole('listitem', { name: /, live$/i })
const front = (page: Page) => page.getByRole('listitem', { name: /^Front door, / })
const picture = (page: Page) => page.getByLabel('Front door, live picture')
/** The same in the words of the whole browser and of its headless shell. */
const NO_UDP = ['--webrtc-ip-handling-policy', '--force-webrtc-ip-handling-policy'].map(
  (option) => `${option}=disable_non_proxied_udp`,
)

/** How the front door's picture comes: `webrtc`, `mse`, or `none` in its video element. */
const wayOf = (page: Page) =>
  picture(page).evaluate((video: HTMLVideoElement) =>
    video.srcObject ? 'webrtc' : video.src.startsWith('blob:') ? 'mse' : 'none',
  )

/** Three pictures of the front door one after the other, each taken later than the one before, the last one drawn. */
async function expectPictures(page: Page): Promise<void> {
  const taken = new Set<string>()
  const canvas = front(page).locator('canvas')
  const device = (await front(page).locator('img').getAttribute('src')) ?? 'unknown'
  page.on('requestfinished', (request) => {
    const [, time] = request.url().split(`${device}?at=`)
    if (time !== undefined) taken.add(time)
  })
  await expect.poll(() => taken.size, SLOW).toBeGreaterThanOrEqual(3)
  expect([...taken].map(Number)).toEqual([...taken].map(Number).sort((one, other) => one - other))
  expect(await canvas.evaluate((element: HTMLCanvasElement) => element.width)).toBeGreaterThan(300)
}

/** Each picture is made by a process of its own, for five cameras at once. */
const SLOW = { timeout: 30_000 }

/** In a page: as if this browser had no way to play fragments. */
const withoutMse = () => {
  delete (globalThis as { MediaSource?: unknown }).MediaSource
  delete (globalThis as { ManagedMediaSource?: unknown }).ManagedMediaSource
}

test('on a second visit cameras connect before any script has come, each over one socket', async ({ page }) => {
  await page.goto('/live')
  await expect(live(page).nth(4)).toBeVisible()
  const opened: string[] = []
  page.on('websocket', (socket) => opened.push(new URL(socket.url()).pathname))
  const viewers = () => opened.filter((path) => path.endsWith('/viewer'))
  const scripts = Promise.withResolvers<undefined>()
  await page.route('**/_astro/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await expect.poll(() => viewers().length).toBe(6)
  scripts.resolve(undefined)
  await expect(live(page).nth(4)).toBeVisible()
  expect(new Set(viewers()).size).toBe(viewers().length)
})

test('every tile has WebRTC in the end, whichever way its first picture came', async ({ page }) => {
  await page.goto('/live')
  await expect(live(page).nth(3)).toBeVisible()
  await expect.poll(() => wayOf(page)).toBe('webrtc')
  await expectMoving(picture(page))
})

/** The sound of the front door that has been played in this page, in bytes of Opus; the count is Chromium's. */
const heard = (page: Page) =>
  picture(page).evaluate(
    (video: HTMLVideoElement & { webkitAudioDecodedByteCount?: number }) => video.webkitAudioDecodedByteCount ?? -1,
  )

test('where UDP is blocked the relay plays, with the second picture, and with sound when it is asked for', async ({
  baseURL,
  problems,
}) => {
  test.slow()
  const browser = await chromium.launch({ ...browserOptions(), args: [...browserOptions().args, ...NO_UDP] })
  const context = await browser.newContext({ storageState: SIGNED_IN.owner, ...(baseURL && { baseURL }) })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto('/live')
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  expect(await wayOf(page)).toBe('mse')
  for (let round = 0; round < 3; round++) await expectMoving(picture(page))
  const behind = () =>
    picture(page).evaluate(
      // A picture that has just come back has nothing in its buffer yet.
      ({ buffered, currentTime }: HTMLVideoElement) =>
        buffered.length > 0 ? buffered.end(buffered.length - 1) - currentTime : Infinity,
    )
  await expect.poll(behind).toBeLessThan(1.2)
  const small = page.getByLabel('Front door, second live picture')
  await expect.poll(() => small.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
  expect(await small.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  expect(await heard(page)).toBe(0)
  await front(page).hover()
  await front(page).getByRole('button', { name: 'Sound on' }).click()
  await expect.poll(() => heard(page)).toBeGreaterThan(0)
  expect(await picture(page).evaluate((video: HTMLVideoElement) => video.muted)).toBe(false)
  const before = await heard(page)
  for (let round = 0; round < 3; round++) await expectMoving(picture(page))
  await expect.poll(() => heard(page)).toBeGreaterThan(before)
  await front(page).getByRole('button', { name: 'Sound off' }).click()
  await expect.poll(() => heard(page)).toBe(0)
  await expectMoving(picture(page))
  await browser.close()
})

test('where no path to the camera is found the tile says no more than that', async ({ page }) => {
  await page.addInitScript(withoutMse)
  await page.addInitScript(() => {
    RTCPeerConnection.prototype.setRemoteDescription = () => Promise.resolve()
  })
  await page.goto('/live')
  await expect(front(page)).toContainText(
    'No direct connection to the camera came about in time. Trying again by itself.',
  )
})

test('without WebRTC the relay plays', async ({ page }) => {
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.goto('/live')
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  expect(await wayOf(page)).toBe('mse')
  await expectMoving(picture(page))
})

test('without the relay WebRTC plays alone', async ({ page }) => {
  await page.addInitScript(withoutMse)
  await page.goto('/live')
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  expect(await wayOf(page)).toBe('webrtc')
  await expectMoving(picture(page))
})

test('without both there is a new picture every second', async ({ page }) => {
  await page.addInitScript(withoutMse)
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.goto('/live')
  await expect(front(page)).toHaveAccessibleName(/, snapshots$/, SLOW)
  await expect(front(page).getByText('Snapshots', { exact: true })).toBeVisible()
  expect(await wayOf(page)).toBe('none')
  await expectPictures(page)
})

test('where WebSockets are blocked too there is a new picture every second', async ({ page, problems }) => {
  await page.routeWebSocket(/\/camera\//, (socket) => socket.close())
  await page.goto('/live')
  await expect(front(page)).toHaveAccessibleName(/, snapshots$/, SLOW)
  await expect(front(page).getByText('Snapshots', { exact: true })).toBeVisible()
  await expect.poll(() => wayOf(page)).toBe('none')
  await expectPictures(page)
  forgive(problems, /WebSocket/)
})

test('when nothing is left the tile says why, and tries again by itself', async ({ page, problems }) => {
  await page.addInitScript(withoutMse)
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.route('**/api/p/extension/extension/snapshot', (route) => route.abort())
  await page.goto('/live')
  await expect(front(page).getByText('This browser has no way to show live video')).toBeVisible()
  await expect(front(page).getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/api/p/extension/extension/snapshot')
  await expect(front(page)).toHaveAccessibleName(/, snapshots$/, { timeout: 30_000 })
  forgive(problems, /ERR_FAILED/)
})

test('a page that is hidden stops, and resumes when it is shown, without a reload', async ({ page }) => {
  const show = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await page.goto('/live')
  await expect(live(page).nth(3)).toBeVisible()
  await show(true)
  await expect(live(page)).toHaveCount(0)
  await show(false)
  await expect(live(page).nth(3)).toBeVisible()
  await expectMoving(picture(page))
})

test('two pages watch the same four cameras', async ({ page, context }) => {
  const second = await context.newPage()
  for (const one of [page, second]) {
    await one.bringToFront()
    await one.goto('/live')
    await expect(live(one).nth(3)).toBeVisible()
    await expectMoving(picture(one))
  }
})

const pidOf = (part: 'bridge' | 'provider'): number => {
  const run = JSON.parse(readFileSync(`${RESULTS}/data/run.json`, 'utf8')) as {
    parts: Record<string, { pid: number }>
  }
  return run.parts[part]?.pid ?? Number.NaN
}

/** Ends one of the processes behind the page at once, and waits until its supervisor has started it again. */
async function kill(part: 'bridge' | 'provider'): Promise<void> {
  const before = pidOf(part)
  process.kill(-before, 'SIGKILL')
  await expect.poll(() => pidOf(part)).not.toBe(before)
}

/** Notes from now on all that the front door's tile is called, however shortly. */
const noteNames = (page: Page) =>
  front(page).evaluate((tile) => {
    const names = ((globalThis as { seenNames?: string[] }).seenNames = [] as string[])
    new MutationObserver(() => names.push(tile.getAttribute('aria-label') ?? '')).observe(tile, {
      attributeFilter: ['aria-label'],
    })
  })
const namesSeen = (page: Page) => page.evaluate(() => (globalThis as { seenNames?: string[] }).seenNames ?? [])

async function isProviderUp(page: Page): Promise<boolean> {
  const health = (await (await page.request.get('/healthz')).json()) as { provider: { ok: boolean } }
  return health.provider.ok
}

for (const part of ['bridge', 'provider'] as const) {
  test(`pictures come back by themselves after the ${part} was killed`, async ({ page, problems }) => {
    test.slow()
    await page.goto('/live')
    await expect.poll(() => wayOf(page)).toBe('webrtc')
    await page.evaluate(() => ((globalThis as { isSamePage?: boolean }).isSamePage = true))
    await noteNames(page)
    await kill(part)
    // Pictures outlive the provider, which only brought the two together; they do not outlive the bridge.
    if (part === 'bridge') await expect.poll(() => namesSeen(page)).toContainEqual(expect.not.stringMatching(/, live$/))
    // The part's own start and two of the promised seconds, three times over.
    await expect.poll(() => isProviderUp(page), { timeout: 45_000 }).toBe(true)
    await expect(front(page)).toHaveAccessibleName(/, live$/, { timeout: 45_000 })
    await expectMoving(picture(page))
    // What is told over the provider arrives again, too: a new page gets its pictures.
    const next = await page.context().newPage()
    await next.goto('/live')
    await expect(front(next)).toHaveAccessibleName(/, live$/, { timeout: 45_000 })
    expect(await page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage)).toBe(true)
    // Whatever was asked while the part was away; never an error of the page itself.
    forgiveToTheEnd(problems, /^console: .*(WebSocket|50[0-4]|ERR_|CORS)|^request: /)
  })
}
