import type { Page } from 'playwright/test'
import { chromium } from 'playwright/test'
import { browserOptions } from '../../scripts/tools.mjs'
import { alone } from '../support/demo-cameras.ts'
import { expect, forgive, SIGNED_IN, test } from '../support/e2e.ts'
import { scaled } from '../support/machine.ts'
import { expectMoving } from '../support/moving.ts'

test.use({ storageState: SIGNED_IN.owner })

const live = (page: Page) => page.getByRole('listitem', { name: /, live$/i })
const FRONT = alone('Front door')
const front = (page: Page) => page.getByRole('group', { name: /^Front door, / })
const picture = (page: Page) => page.getByLabel('Front door, live picture')
/** Option that forbids WebRTC over UDP, in the syntax of the full browser and of its headless shell. */
const NO_UDP = ['--webrtc-ip-handling-policy', '--force-webrtc-ip-handling-policy'].map(
  (option) => `${option}=disable_non_proxied_udp`,
)

/** Returns the transport of the front door's video: `webrtc`, `mse`, or `none` if its video element is empty. */
const readTransport = (page: Page) =>
  picture(page).evaluate((video: HTMLVideoElement) =>
    video.srcObject ? 'webrtc' : video.src.startsWith('blob:') ? 'mse' : 'none',
  )

/** Waits for three snapshots of the front door, in order of time, and until the canvas shows a snapshot. */
async function expectPictures(page: Page): Promise<void> {
  const times = new Set<string>()
  const canvas = front(page).locator('canvas')
  const device = (await front(page).locator('img').getAttribute('src')) ?? 'unknown'
  page.on('requestfinished', (request) => {
    const [, time] = request.url().split(`${device}?at=`)
    if (time !== undefined) times.add(time)
  })
  await expect.poll(() => times.size, SLOW).toBeGreaterThanOrEqual(3)
  expect([...times].map(Number)).toEqual([...times].map(Number).sort((time, other) => time - other))
  await expect.poll(() => canvas.evaluate((element: HTMLCanvasElement) => element.width)).toBeGreaterThan(300)
}

/** Long timeout: each snapshot starts its own process. */
const SLOW = { timeout: scaled(30_000) }

/** Runs in the page: removes Media Source Extensions, so that the page cannot play the relay's fragments. */
const withoutMse = () => {
  delete (globalThis as { MediaSource?: unknown }).MediaSource
  delete (globalThis as { ManagedMediaSource?: unknown }).ManagedMediaSource
}

for (const [account, count, tag] of [
  ['free', 1, []],
  ['owner', 6, ['@all']],
] as const)
  test.describe(`a home with ${count} cameras`, () => {
    test.use({ storageState: SIGNED_IN[account] })
    // Index of the last camera that plays: with six cameras, the last one (the garage's) is asleep.
    const last = Math.max(0, count - 2)

    test(
      'on a second visit cameras connect before any script loads, each over one socket',
      {
        tag: [...tag],
      },
      async ({ page }) => {
        await page.goto('/live')
        await expect(live(page).nth(last)).toBeVisible()
        const opened: string[] = []
        page.on('websocket', (socket) => opened.push(new URL(socket.url()).pathname))
        const viewers = () => opened.filter((path) => path.endsWith('/viewer'))
        const scripts = Promise.withResolvers<undefined>()
        await page.route('**/_astro/*.js', async (route) => {
          await scripts.promise
          await route.continue()
        })
        await page.reload({ waitUntil: 'commit' })
        await expect.poll(() => viewers().length).toBe(count)
        scripts.resolve(undefined)
        await expect(live(page).nth(last)).toBeVisible()
        expect(new Set(viewers()).size).toBe(viewers().length)
      },
    )
  })

test('video ends up on WebRTC, whichever transport delivered its first frame', async ({ page }) => {
  await page.goto(FRONT)
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  await expect.poll(() => readTransport(page)).toBe('webrtc')
  await expectMoving(picture(page))
})

/** Returns the bytes of Opus audio of the front door that this page has played, as counted by Chromium. */
const countAudioBytes = (page: Page) =>
  picture(page).evaluate(
    (video: HTMLVideoElement & { webkitAudioDecodedByteCount?: number }) => video.webkitAudioDecodedByteCount ?? -1,
  )

test('with UDP blocked the relay plays, with the inset and, on request, audio', async ({ baseURL, problems }) => {
  test.slow()
  const browser = await chromium.launch({ ...browserOptions(), args: [...browserOptions().args, ...NO_UDP] })
  const context = await browser.newContext({ storageState: SIGNED_IN.owner, ...(baseURL && { baseURL }) })
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => problems.push({ kind: 'page error', path: '', text: message }))
  await page.goto(FRONT)
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  await expect.poll(() => readTransport(page)).toBe('mse')
  for (let round = 0; round < 3; round++) await expectMoving(picture(page))
  const behind = () =>
    picture(page).evaluate(
      // The buffer is empty for a moment after the video resumes.
      ({ buffered, currentTime }: HTMLVideoElement) =>
        buffered.length > 0 ? buffered.end(buffered.length - 1) - currentTime : Infinity,
    )
  await expect.poll(behind).toBeLessThan(1.2)
  const small = page.getByLabel('Front door, second live picture')
  await expect.poll(() => small.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
  await expect.poll(() => small.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  // Settled: sound would come from the same request as the second picture, which plays.
  expect(await countAudioBytes(page)).toBe(0)
  const sound = page.getByRole('button', { name: 'Sound', exact: true })
  await sound.click()
  await expect.poll(() => countAudioBytes(page)).toBeGreaterThan(0)
  await expect.poll(() => picture(page).evaluate((video: HTMLVideoElement) => video.muted)).toBe(false)
  const before = await countAudioBytes(page)
  for (let round = 0; round < 3; round++) await expectMoving(picture(page))
  await expect.poll(() => countAudioBytes(page)).toBeGreaterThan(before)
  await sound.click()
  await expect.poll(() => countAudioBytes(page)).toBe(0)
  await expectMoving(picture(page))
  await browser.close()
})

test('without a path to the camera the tile reports that and nothing more', { tag: '@all' }, async ({ page }) => {
  await page.addInitScript(withoutMse)
  await page.addInitScript(() => {
    RTCPeerConnection.prototype.setRemoteDescription = () => Promise.resolve()
  })
  await page.goto(FRONT)
  await expect(front(page)).toContainText(
    'No direct connection to the camera came about in time. Trying again by itself.',
  )
})

/** Runs in the page: once the global `damaged` is set, damages the relay's frames, so that none can be decoded. */
const withDamage = () => {
  const append = SourceBuffer.prototype.appendBuffer
  SourceBuffer.prototype.appendBuffer = function (data: BufferSource) {
    const bytes = new Uint8Array(data as ArrayBuffer)
    const picture = 'damaged' in globalThis ? new TextDecoder('latin1').decode(bytes).indexOf('mdat') : -1
    // Overwrite the length of the fragment's first NAL unit.
    if (picture >= 0) bytes.fill(0x7f, picture + 4, picture + 8)
    append.call(this, bytes)
  }
}

test('without WebRTC the relay plays, and video that cannot be decoded is not labeled live', async ({ page }) => {
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.addInitScript(withDamage)
  await page.goto(FRONT)
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  await expect.poll(() => readTransport(page)).toBe('mse')
  await expectMoving(picture(page))
  await page.evaluate(() => Object.assign(globalThis, { damaged: true }))
  await expect(front(page)).toHaveAccessibleName(/, snapshots$/, SLOW)
})

test('without the relay, video plays over WebRTC alone', async ({ page }) => {
  await page.addInitScript(withoutMse)
  await page.goto(FRONT)
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  await expect.poll(() => readTransport(page)).toBe('webrtc')
  await expectMoving(picture(page))
})

test('without WebRTC and the relay, a new snapshot appears every second', { tag: '@all' }, async ({ page }) => {
  await page.addInitScript(withoutMse)
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.goto(FRONT)
  await expect(front(page)).toHaveAccessibleName(/, snapshots$/, SLOW)
  await expect(front(page).getByText('Snapshots', { exact: true })).toBeVisible()
  await expect.poll(() => readTransport(page)).toBe('none')
  await expectPictures(page)
})

test('with WebSockets blocked, a new snapshot appears every second', { tag: '@all' }, async ({ page, problems }) => {
  await page.routeWebSocket(/\/camera\//, (socket) => socket.close())
  await page.goto(FRONT)
  await expect(front(page)).toHaveAccessibleName(/, snapshots$/, SLOW)
  await expect(front(page).getByText('Snapshots', { exact: true })).toBeVisible()
  await expect.poll(() => readTransport(page)).toBe('none')
  await expectPictures(page)
  forgive(problems, { network: /WebSocket|ERR_/, path: /\/camera\// })
})

test('without any transport left, the tile says why and retries automatically', async ({ page, problems }) => {
  await page.addInitScript(withoutMse)
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.route('**/api/p/extension/extension/snapshot', (route) => route.abort())
  await page.goto(FRONT)
  await expect(front(page).getByText('This browser has no way to show live video')).toBeVisible()
  await expect(front(page).getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/api/p/extension/extension/snapshot')
  await expect(front(page)).toHaveAccessibleName(/, snapshots$/, SLOW)
  forgive(problems, { network: /ERR_FAILED/, path: /\/extension\/snapshot$/ })
})

test('a hidden page stops, and resumes when it is shown, without a reload', async ({ page }) => {
  const show = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await page.goto(FRONT)
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  await show(true)
  await expect(front(page)).not.toHaveAccessibleName(/, live$/)
  await show(false)
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  await expectMoving(picture(page))
})

test('two pages watch the same four cameras', { tag: '@all' }, async ({ page, context }) => {
  const second = await context.newPage()
  for (const tab of [page, second]) {
    await tab.bringToFront()
    await tab.goto('/live')
    await expect(live(tab).nth(3)).toBeVisible()
    await expectMoving(picture(tab))
  }
})
