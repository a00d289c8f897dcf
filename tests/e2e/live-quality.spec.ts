import type { CDPSession, Page } from 'playwright/test'
import { singleCameraPath } from '../support/demo-cameras.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { scaleTimeout } from '../support/machine.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const findCameraView = (page: Page) => page.getByRole('group', { name: /^Driveway, / })
const findVideo = (page: Page) => page.getByLabel('Driveway, live video')
const readHeight = (page: Page) => findVideo(page).evaluate((video: HTMLVideoElement) => video.videoHeight)
const readTime = (page: Page) => findVideo(page).evaluate((video: HTMLVideoElement) => video.currentTime)

/** Timeout: three times the 10 s after which the page resends a lost rendition request. */
const RENDITION_TIMEOUT = { timeout: scaleTimeout(30_000) }

/**
 * Opens the driveway camera over the relay: DevTools throttles WebSockets, but not WebRTC connections within one
 * machine.
 */
async function openOverRelay(page: Page): Promise<void> {
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.goto(singleCameraPath('Driveway'))
  await expect(findCameraView(page)).toHaveAccessibleName('Driveway, live')
}

/** Returns the bytes that the page's WebSockets receive per second of video, measured over at least three seconds. */
async function measureRelayRate(page: Page, cdp: CDPSession): Promise<number> {
  let bytes = 0
  cdp.on('Network.webSocketFrameReceived', ({ response }) => (bytes += (response.payloadData.length * 3) / 4))
  const from = await readTime(page)
  await expect.poll(() => readTime(page)).toBeGreaterThan(from + 3)
  return bytes / ((await readTime(page)) - from)
}

const throttleNetwork = (cdp: CDPSession, throughput: number) =>
  cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    uploadThroughput: -1,
    downloadThroughput: throughput,
  })

/** Starts to record each phase of the open camera other than `playing`. */
const recordOtherPhases = (page: Page) =>
  findCameraView(page).evaluateHandle((element) => {
    const seen: string[] = []
    const recordPhase = () => element.dataset['phase'] !== 'playing' && seen.push(element.dataset['phase'] ?? '')
    new MutationObserver(recordPhase).observe(element, { attributes: true })
    return seen
  })

test(
  'large video improves automatically, drops quality on a slow link instead of stalling, and can be pinned',
  { tag: '@all' },
  async ({ page }) => {
    test.setTimeout(scaleTimeout(300_000))
    await openOverRelay(page)
    // The page raises the quality after four seconds without connection problems. A busy machine needs longer for that.
    await expect.poll(() => readHeight(page), { timeout: scaleTimeout(180_000) }).toBe(720)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Network.enable')
    const states = await recordOtherPhases(page)
    await throttleNetwork(cdp, 0.55 * (await measureRelayRate(page, cdp)))
    await page.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Driveway' })
    await dialog.getByRole('button', { name: 'Details', exact: true }).click()
    await expect.poll(() => readHeight(page), RENDITION_TIMEOUT).toBe(360)
    for (let round = 0; round < 3; round++) {
      const before = await readTime(page)
      await expect.poll(() => readTime(page)).toBeGreaterThan(before + 0.5)
    }
    expect(await states.jsonValue()).toEqual([])
    await expect(dialog.getByText('360p, limited by the connection')).toBeVisible()

    await throttleNetwork(cdp, -1)
    await dialog.getByRole('button', { name: 'Video', exact: true }).click()
    const quality = dialog.getByRole('group', { name: 'Video quality' })
    await quality.getByRole('button', { name: '720p' }).click()
    await expect.poll(() => readHeight(page), RENDITION_TIMEOUT).toBe(720)
    await dialog.getByRole('button', { name: 'Details', exact: true }).click()
    await expect(dialog.getByText('720p, set in this browser')).toBeVisible()
    await page.reload()
    await expect.poll(() => readHeight(page), RENDITION_TIMEOUT).toBe(720)
  },
)

test('the dialog script loads during playback before any dialog is opened', async ({ page }) => {
  const script = page.waitForResponse('**/_astro/Dialogs.*.js')
  await page.goto(singleCameraPath('Driveway'))
  await expect(findCameraView(page)).toHaveAccessibleName('Driveway, live')
  expect((await script).ok()).toBe(true)
})
