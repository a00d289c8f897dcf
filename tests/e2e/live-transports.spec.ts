import type { Page } from 'playwright/test'
import { chromium } from 'playwright/test'
import { browserOptions } from '../../scripts/tools.mjs'
import { singleCameraPath } from '../support/demo-cameras.ts'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { MACHINE_FACTOR, scaleTimeout } from '../support/machine.ts'
import { expectPlaying } from '../support/moving.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const findLiveTiles = (page: Page) => page.getByRole('listitem', { name: /, live$/i })
const FRONT_DOOR_URL = singleCameraPath('Front door')
const findFrontDoor = (page: Page) => page.getByRole('group', { name: /^Front door, / })
const findVideo = (page: Page) => page.getByLabel('Front door, live video')
/** Browser arguments that forbid WebRTC over UDP: one for the full browser, one for its headless shell. */
const NO_UDP_ARGUMENTS = ['--webrtc-ip-handling-policy', '--force-webrtc-ip-handling-policy'].map(
  (option) => `${option}=disable_non_proxied_udp`,
)

/** Returns the transport of the front door's video: `webrtc`, `mse`, or `none` if its video element is empty. */
const readTransport = (page: Page) =>
  findVideo(page).evaluate((video: HTMLVideoElement) =>
    video.srcObject ? 'webrtc' : video.src.startsWith('blob:') ? 'mse' : 'none',
  )

/**
 * Waits until three snapshots of the front door have loaded and the canvas shows a snapshot. Asserts that the snapshots
 * load in the order of their times.
 */
async function expectSnapshots(page: Page): Promise<void> {
  const times = new Set<string>()
  const canvas = findFrontDoor(page).locator('canvas')
  const device = (await findFrontDoor(page).locator('img').getAttribute('src')) ?? 'unknown'
  page.on('requestfinished', (request) => {
    const [, time] = request.url().split(`${device}?at=`)
    if (time !== undefined) times.add(time)
  })
  await expect.poll(() => times.size, SNAPSHOT_TIMEOUT).toBeGreaterThanOrEqual(3)
  expect([...times].map(Number)).toEqual([...times].map(Number).sort((time, other) => time - other))
  await expect.poll(() => canvas.evaluate((element: HTMLCanvasElement) => element.width)).toBeGreaterThan(300)
}

/** Long timeout, because the bridge starts an ffmpeg process for each snapshot. */
const SNAPSHOT_TIMEOUT = { timeout: scaleTimeout(30_000) }

/** Runs in the page: removes Media Source Extensions, so that the page cannot play the relay's fragments. */
const removeMediaSource = () => {
  delete (globalThis as { MediaSource?: unknown }).MediaSource
  delete (globalThis as { ManagedMediaSource?: unknown }).ManagedMediaSource
}

for (const [account, count, tag] of [
  ['free', 1, []],
  ['owner', 6, ['@all']],
] as const)
  test.describe(`a home with ${count} cameras`, () => {
    test.use({ storageState: SIGNED_IN_STATES[account] })
    // Index of the last camera that plays. In the home with six cameras, the garage camera sleeps.
    const last = Math.max(0, count - 2)

    test(
      'on a second visit cameras connect before any script loads, each over one socket',
      {
        tag: [...tag],
      },
      async ({ page }) => {
        await page.goto('/live')
        await expect(findLiveTiles(page).nth(last)).toBeVisible()
        const openedPaths: string[] = []
        page.on('websocket', (socket) => openedPaths.push(new URL(socket.url()).pathname))
        const listViewerSockets = () => openedPaths.filter((path) => path.endsWith('/viewer'))
        const scripts = Promise.withResolvers<undefined>()
        await page.route('**/_astro/*.js', async (route) => {
          await scripts.promise
          await route.continue()
        })
        await page.reload({ waitUntil: 'commit' })
        await expect.poll(() => listViewerSockets().length).toBe(count)
        scripts.resolve(undefined)
        await expect(findLiveTiles(page).nth(last)).toBeVisible()
        expect(new Set(listViewerSockets()).size).toBe(listViewerSockets().length)
      },
    )
  })

/** A slow machine may exceed WebRTC's time limits, which tests do not scale. There, the camera is opened repeatedly. */
const WEBRTC_ATTEMPTS = MACHINE_FACTOR < 2 ? 1 : 3

async function expectWebRtc(page: Page, attempts: number): Promise<void> {
  await page.goto(FRONT_DOOR_URL)
  await expect(findFrontDoor(page)).toHaveAccessibleName(/, live$/)
  try {
    await expect.poll(() => readTransport(page)).toBe('webrtc')
  } catch (error) {
    if (attempts <= 1) throw error
    await expectWebRtc(page, attempts - 1)
  }
}

test('video ends up on WebRTC, whichever transport delivered its first frame', async ({ page }) => {
  test.slow()
  await expectWebRtc(page, WEBRTC_ATTEMPTS)
  await expectPlaying(findVideo(page))
})

/** Returns the number of bytes of the front door's audio that Chromium has decoded; -1 if there is no such counter. */
const countAudioBytes = (page: Page) =>
  findVideo(page).evaluate(
    (video: HTMLVideoElement & { webkitAudioDecodedByteCount?: number }) => video.webkitAudioDecodedByteCount ?? -1,
  )

test('with UDP blocked the relay plays, with the inset and, on request, audio', async ({ baseURL, problems }) => {
  test.slow()
  const browser = await chromium.launch({ ...browserOptions(), args: [...browserOptions().args, ...NO_UDP_ARGUMENTS] })
  const context = await browser.newContext({ storageState: SIGNED_IN_STATES.owner, ...(baseURL && { baseURL }) })
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => problems.push({ kind: 'page error', path: '', text: message }))
  await page.goto(FRONT_DOOR_URL)
  await expect(findFrontDoor(page)).toHaveAccessibleName(/, live$/)
  await expect.poll(() => readTransport(page)).toBe('mse')
  for (let round = 0; round < 3; round++) await expectPlaying(findVideo(page))
  const measureDelay = () =>
    findVideo(page).evaluate(
      // The buffer is empty for a moment after the video resumes.
      ({ buffered, currentTime }: HTMLVideoElement) =>
        buffered.length > 0 ? buffered.end(buffered.length - 1) - currentTime : Infinity,
    )
  await expect.poll(measureDelay).toBeLessThan(1.2)
  const insetVideo = page.getByLabel('Front door, second lens')
  await expect.poll(() => insetVideo.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
  await expect.poll(() => insetVideo.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  // Settled: the page requests audio and the inset with the same message, and the inset already plays.
  expect(await countAudioBytes(page)).toBe(0)
  const sound = page.getByRole('button', { name: 'Sound', exact: true })
  await sound.click()
  await expect.poll(() => countAudioBytes(page)).toBeGreaterThan(0)
  await expect.poll(() => findVideo(page).evaluate((video: HTMLVideoElement) => video.muted)).toBe(false)
  const before = await countAudioBytes(page)
  for (let round = 0; round < 3; round++) await expectPlaying(findVideo(page))
  await expect.poll(() => countAudioBytes(page)).toBeGreaterThan(before)
  await sound.click()
  await expect.poll(() => countAudioBytes(page)).toBe(0)
  await expectPlaying(findVideo(page))
  await browser.close()
})

/** Runs in the page: WebRTC negotiates its tracks, but no connection comes about, because the ICE password is wrong. */
const breakConnections = () => {
  type SetDescription = (this: RTCPeerConnection, description: RTCSessionDescriptionInit) => Promise<void>
  const { prototype } = RTCPeerConnection as unknown as { prototype: { setRemoteDescription: SetDescription } }
  const { setRemoteDescription } = prototype
  prototype.setRemoteDescription = function ({ type, sdp = '' }) {
    return setRemoteDescription.call(this, { type, sdp: sdp.replace(/(a=ice-pwd:)\S+/g, `$1${'x'.repeat(24)}`) })
  }
}

test(
  'without a path the relay plays both lenses, also after the camera is opened',
  { tag: '@all' },
  async ({ page }) => {
    await page.addInitScript(breakConnections)
    await page.goto('/live')
    const insetVideo = page.getByLabel('Front door, second lens')
    // A stream of WebRTC without a connection shows black frames of 2 × 2 pixels.
    const expectInset = async () => {
      await expect.poll(() => insetVideo.evaluate(({ videoWidth }: HTMLVideoElement) => videoWidth)).toBeGreaterThan(2)
      await expectPlaying(insetVideo)
    }
    await expectInset()
    await page.getByRole('button', { name: 'Open Front door' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Front door' })).toBeVisible()
    await expect.poll(() => readTransport(page)).toBe('mse')
    await expectInset()
  },
)

test('without a path to the camera the tile reports that and nothing more', { tag: '@all' }, async ({ page }) => {
  await page.addInitScript(removeMediaSource)
  await page.addInitScript(() => {
    RTCPeerConnection.prototype.setRemoteDescription = () => Promise.resolve()
  })
  await page.goto(FRONT_DOOR_URL)
  await expect(findFrontDoor(page)).toContainText('Couldn’t connect to the camera. Retrying…')
})

/** Runs in the page: once the global `damaged` is set, damages the relay's frames, so that none can be decoded. */
const damageFragments = () => {
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
  await page.addInitScript(damageFragments)
  await page.goto(FRONT_DOOR_URL)
  await expect(findFrontDoor(page)).toHaveAccessibleName(/, live$/)
  await expect.poll(() => readTransport(page)).toBe('mse')
  await expectPlaying(findVideo(page))
  await page.evaluate(() => Object.assign(globalThis, { damaged: true }))
  await expect(findFrontDoor(page)).toHaveAccessibleName(/, snapshots$/, SNAPSHOT_TIMEOUT)
})

test('without the relay, video plays over WebRTC alone', async ({ page }) => {
  await page.addInitScript(removeMediaSource)
  await page.goto(FRONT_DOOR_URL)
  await expect(findFrontDoor(page)).toHaveAccessibleName(/, live$/)
  await expect.poll(() => readTransport(page)).toBe('webrtc')
  await expectPlaying(findVideo(page))
})

test('without WebRTC and the relay, a new snapshot appears every second', { tag: '@all' }, async ({ page }) => {
  await page.addInitScript(removeMediaSource)
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.goto(FRONT_DOOR_URL)
  await expect(findFrontDoor(page)).toHaveAccessibleName(/, snapshots$/, SNAPSHOT_TIMEOUT)
  await expect(findFrontDoor(page).getByText('Snapshots', { exact: true })).toBeVisible()
  await expect.poll(() => readTransport(page)).toBe('none')
  await expectSnapshots(page)
})

test('with WebSockets blocked, a new snapshot appears every second', { tag: '@all' }, async ({ page, problems }) => {
  await page.routeWebSocket(/\/camera\//, (socket) => socket.close())
  await page.goto(FRONT_DOOR_URL)
  await expect(findFrontDoor(page)).toHaveAccessibleName(/, snapshots$/, SNAPSHOT_TIMEOUT)
  await expect(findFrontDoor(page).getByText('Snapshots', { exact: true })).toBeVisible()
  await expect.poll(() => readTransport(page)).toBe('none')
  await expectSnapshots(page)
  removeExpectedProblems(problems, { network: /WebSocket|ERR_/, path: /\/camera\// })
})

test('without any transport left, the tile says why and retries automatically', async ({ page, problems }) => {
  await page.addInitScript(removeMediaSource)
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.route('**/api/p/extension/extension/snapshot', (route) => route.abort())
  await page.goto(FRONT_DOOR_URL)
  await expect(findFrontDoor(page).getByText('This browser doesn’t support live video')).toBeVisible()
  await expect(findFrontDoor(page).getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/api/p/extension/extension/snapshot')
  await expect(findFrontDoor(page)).toHaveAccessibleName(/, snapshots$/, SNAPSHOT_TIMEOUT)
  removeExpectedProblems(problems, { network: /ERR_FAILED/, path: /\/extension\/snapshot$/ })
})

test('a hidden page stops, and resumes when it is shown, without a reload', async ({ page }) => {
  const setHidden = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await page.goto(FRONT_DOOR_URL)
  await expect(findFrontDoor(page)).toHaveAccessibleName(/, live$/)
  await setHidden(true)
  await expect(findFrontDoor(page)).not.toHaveAccessibleName(/, live$/)
  await setHidden(false)
  await expect(findFrontDoor(page)).toHaveAccessibleName(/, live$/)
  await expectPlaying(findVideo(page))
})

test('two pages watch the same four cameras', { tag: '@all' }, async ({ page, context }) => {
  const second = await context.newPage()
  for (const tab of [page, second]) {
    await tab.bringToFront()
    await tab.goto('/live')
    await expect(findLiveTiles(tab).nth(3)).toBeVisible()
    await expectPlaying(findVideo(tab))
  }
})
