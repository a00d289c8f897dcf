import type { Locator, Page } from 'playwright/test'
import { sendCommand } from '../../contract/live/camera-control-calls.ts'
import { singleCameraPath, findDemoCameraId, sendCall } from '../support/demo-cameras.ts'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { waitForLivePage } from '../support/live.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const locateTile = (page: Page, name: string) => page.getByRole('listitem', { name: new RegExp(`^${name}, `) })
const findMainVideo = (page: Page) => page.getByLabel('Front door, live video')
const findInsetVideo = (page: Page) => page.getByLabel('Front door, second lens')
const findSwapButton = (page: Page) => page.getByRole('button', { name: 'Front door: swap lenses' })

/** Returns the green values of a frame, scaled to 16 × 9 pixels and normalized to mean 0 and vector length 1. */
const readGrays = (video: Locator) =>
  video.evaluate((element: HTMLVideoElement) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 16, height: 9 })
    const pen = canvas.getContext('2d')
    pen?.drawImage(element, 0, 0, 16, 9)
    const { data } = pen?.getImageData(0, 0, 16, 9) ?? { data: new Uint8ClampedArray() }
    const values = Array.from({ length: 16 * 9 }, (_, i) => data[i * 4 + 1] ?? 0)
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const spread = Math.hypot(...values.map((value) => value - mean)) || 1
    return values.map((value) => (value - mean) / spread)
  })

/** Computes the correlation of two frames: 1 for identical frames, about 0 for unrelated frames. */
const computeCorrelation = (first: readonly number[], other: readonly number[]) =>
  first.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

/**
 * Returns true if the video shows the view of `lens`, not of `other`. A person in the frame lowers its similarity to
 * both views, but never makes it more similar to `other`.
 */
const isShowingLens = async (video: Locator, lens: readonly number[], other: readonly number[]) => {
  const now = await readGrays(video)
  return computeCorrelation(now, lens) > computeCorrelation(now, other)
}

/** Opens a camera and waits until both videos show frames: over WebRTC, or over the relay if WebRTC fails. */
async function openCamera(page: Page, path = singleCameraPath('Front door')): Promise<void> {
  await page.goto(path)
  await expect(findInsetVideo(page)).toBeVisible()
  for (const locator of [findInsetVideo(page), findMainVideo(page)])
    await expect
      .poll(async () => computeCorrelation(await readGrays(locator), await readGrays(locator)))
      .toBeGreaterThan(0.95)
}

test.describe('lens swap for all viewers', () => {
  let swaps = 0
  test.beforeEach(({ context }) => {
    swaps = 0
    const isSwap = (data: string | null) => data?.includes('exchange_pip') === true
    context.on('response', (answer) => (swaps += isSwap(answer.request().postData()) && answer.ok() ? 1 : 0))
  })
  test.afterEach(async ({ page }) => {
    const command = { did: findDemoCameraId('Front door'), action: 'exchange_pip', params: 'pip' }
    if (swaps % 2 === 1) await sendCall(page, sendCommand, command)
  })

  test('LIVE-06 a dual-lens camera shows both lenses, and its button swaps them for all viewers', async ({
    page,
    context,
  }) => {
    const other = await context.newPage()
    await openCamera(other)
    await page.bringToFront()
    await openCamera(page)
    // Settled: `openCamera` has waited for both videos.
    const [large, inset] = [await readGrays(findMainVideo(page)), await readGrays(findInsetVideo(page))]
    expect(computeCorrelation(large, inset)).toBeLessThan(0.7)

    const swapRequest = page.waitForRequest((request) => request.postData()?.includes('exchange_pip') === true)
    await findSwapButton(page).click()
    expect((await swapRequest).postDataJSON()).toMatchObject({ action: 'exchange_pip' })
    for (const tab of [page, other]) {
      await tab.bringToFront()
      await expect.poll(() => isShowingLens(findMainVideo(tab), inset, large)).toBe(true)
      await expect.poll(() => isShowingLens(findInsetVideo(tab), large, inset)).toBe(true)
    }
    await findSwapButton(other).click()
    for (const tab of [other, page]) {
      await tab.bringToFront()
      await expect.poll(() => isShowingLens(findMainVideo(tab), large, inset)).toBe(true)
    }
  })
})

test('LIVE-16 a failed swap shows no message and leaves both lenses in place', async ({ page, problems }) => {
  await openCamera(page)
  const [large, inset] = [await readGrays(findMainVideo(page)), await readGrays(findInsetVideo(page))]
  await page.route('**/*', (route) =>
    route.request().postData()?.includes('exchange_pip') ? route.abort() : route.fallback(),
  )
  const failed = page.waitForEvent('requestfailed', (request) => Boolean(request.postData()?.includes('exchange_pip')))
  await findSwapButton(page).click()
  await failed
  await expect(page.getByRole('alert')).toHaveCount(0)
  // Settled: the command never reached the camera, and both videos have played since `openCamera`.
  expect(await isShowingLens(findMainVideo(page), large, inset)).toBe(true)
  await expect(findSwapButton(page)).toBeEnabled()
  removeExpectedProblems(problems, { network: /ERR_FAILED/, path: /\/mars\/send-command$/ })
})

test('a dual-lens camera shows its full name outside the inset at every width', { tag: '@all' }, async ({ page }) => {
  await openCamera(page, '/live')
  await waitForLivePage(page)
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const layout of ['Grid', 'Automatic']) {
      const choice = page.getByRole('button', { name: layout, exact: true })
      await choice.click()
      await expect(choice).toHaveAttribute('aria-pressed', 'true')
      await page.mouse.move(2, 2)
      const heading = locateTile(page, 'Front door').getByRole('heading')
      await expect(heading).toBeVisible()
      const measureOverflow = () => heading.evaluate((element) => element.scrollWidth - element.clientWidth)
      await expect.poll(measureOverflow, `${layout} at ${width} px`).toBeLessThanOrEqual(0)
      const isOutside = async () => {
        const [name, inset] = await Promise.all([heading.boundingBox(), findInsetVideo(page).boundingBox()])
        if (!name || !inset) throw new Error('The name or the second video has no bounding box.')
        return name.x + name.width <= inset.x || name.y >= inset.y + inset.height
      }
      await expect.poll(isOutside, `${layout} at ${width} px`).toBe(true)
    }
  }
})

/** Returns the maximum loudness (root mean square, 0 to 1) of the video's audio within half a second. */
const measureLoudness = (video: Locator) =>
  video.evaluate(async (element: HTMLVideoElement) => {
    const capturable = element as HTMLVideoElement & { captureStream(): MediaStream }
    // Over the relay, the video has no `srcObject`.
    const media = (element.srcObject as MediaStream | null) ?? capturable.captureStream()
    // The video has no audio track between two connections.
    if (media.getAudioTracks().length === 0) return 0
    const context = new AudioContext()
    await context.resume()
    const meter = context.createAnalyser()
    context.createMediaStreamSource(media).connect(meter)
    const values = new Float32Array(meter.fftSize)
    let loudest = 0
    const until = context.currentTime + 0.5
    while (context.currentTime < until) {
      meter.getFloatTimeDomainData(values)
      loudest = Math.max(loudest, Math.hypot(...values) / Math.sqrt(values.length))
      await new Promise(requestAnimationFrame)
    }
    await context.close()
    return loudest
  })

/**
 * Asserts that a camera starts muted, that `turnOn` makes it audible, and that the `m` key mutes it. `isOn` returns
 * true if the button shows the sound as on.
 */
async function expectSoundToggle(page: Page, name: string, isOn: () => Promise<boolean>, turnOn: () => Promise<void>) {
  const video = page.getByLabel(`${name}, live video`)
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBeGreaterThan(0)
  const isMuted = () => video.evaluate((element: HTMLVideoElement) => element.muted)
  // Settled: a video is muted when it gets its source, and the test has not pressed the button yet.
  expect(await isMuted()).toBe(true)
  await turnOn()
  await expect.poll(isOn).toBe(true)
  await expect.poll(isMuted).toBe(false)
  await expect.poll(() => measureLoudness(video)).toBeGreaterThan(0.001)
  await page.keyboard.press('m')
  await expect.poll(isOn).toBe(false)
  await expect.poll(isMuted).toBe(true)
}

test('the living room is muted until its button turns sound on, and then audible', async ({ page }) => {
  await page.goto(singleCameraPath('Living room'))
  const sound = page.getByRole('button', { name: 'Sound', exact: true })
  const isOn = async () => (await sound.getAttribute('aria-pressed')) === 'true'
  await expectSoundToggle(page, 'Living room', isOn, () => sound.click())
})

for (const name of ['Backyard', 'Living room', 'Front door']) {
  test(
    `among all cameras, the ${name.toLowerCase()} is muted until its button turns sound on`,
    {
      tag: '@all',
    },
    async ({ page }) => {
      await page.goto('/live')
      const tile = locateTile(page, name)
      const off = tile.getByRole('button', { name: 'Mute' })
      const turnOn = async () => {
        await tile.hover()
        await tile.getByRole('button', { name: 'Unmute' }).click()
      }
      await expectSoundToggle(page, name, () => off.isVisible(), turnOn)
    },
  )
}

test.describe('a camera without a microphone', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })

  test('offers no sound button', async ({ page }) => {
    await page.goto('/live')
    const street = locateTile(page, 'Street')
    await expect(street).toHaveAccessibleName('Street, live')
    await street.hover()
    await expect(street.getByRole('button', { name: 'Full screen' })).toBeVisible()
    await expect(street.getByRole('button', { name: /^Sound/ })).toHaveCount(0)
  })
})
