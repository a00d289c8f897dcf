import type { CDPSession, Page } from 'playwright/test'
import { singleCameraPath } from '../support/demo-cameras.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { waitForLivePage } from '../support/live.ts'
import { openSharedOfflineHome, OFFLINE_CAMERA_NAMES } from '../support/offline-home.ts'

const findOpenButton = (page: Page, name: string) => page.getByRole('button', { name: `Open ${name}` })
const findHeading = (page: Page) => page.getByRole('heading', { level: 1 })
const findCameraView = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`^${name}, `) })
const [FIRST_CAMERA, SECOND_CAMERA] = OFFLINE_CAMERA_NAMES

async function openFirstCamera(page: Page): Promise<void> {
  const home = await openSharedOfflineHome(page.context())
  await page.goto(`/live?camera=${home.getDeviceId(FIRST_CAMERA)}`)
  await expect(findHeading(page)).toHaveText(FIRST_CAMERA)
  await expect(findCameraView(page, FIRST_CAMERA)).toHaveAccessibleName(`${FIRST_CAMERA}, offline`)
}

/**
 * Returns the zoom of the video: `scale` (1 without zoom), and the upper left corner of the view as a fraction of the
 * video.
 */
const measureZoom = (page: Page) =>
  page.locator('.one-holder').evaluate((element) => {
    const [inner, outer] = [element.getBoundingClientRect(), element.parentElement?.getBoundingClientRect()]
    if (!outer) throw new Error('The camera view is missing.')
    const round = (value: number) => Math.round(value * 100) / 100
    return {
      scale: round(inner.width / outer.width),
      x: round((outer.x - inner.x) / inner.width),
      y: round((outer.y - inner.y) / inner.height),
    }
  })

/** Returns the position of the large video once its opening animation has finished. */
async function measurePosition(
  page: Page,
  name: string,
): Promise<{ x: number; y: number; width: number; height: number }> {
  await findCameraView(page, name).evaluate((element) => {
    const animations = document
      .getAnimations()
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.contains(element))
    return Promise.all(animations.map(({ finished }) => finished)).then(() => undefined)
  })
  const box = await findCameraView(page, name).boundingBox()
  if (!box) throw new Error('The camera view is missing.')
  return box
}

test('wheel, double-click, drag and keys zoom within the video, and 0 shows all of it', async ({ page }) => {
  await openFirstCamera(page)
  const box = await measurePosition(page, FIRST_CAMERA)
  const toPixels = (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const
  await page.mouse.move(...toPixels(0.2, 0.5))
  await page.mouse.wheel(0, -315)
  await expect.poll(() => measureZoom(page)).toEqual({ scale: 2, x: 0.1, y: 0.25 })
  await page.mouse.down()
  await page.mouse.move(...toPixels(0.3, 0.3), { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => measureZoom(page)).toEqual({ scale: 2, x: 0.05, y: 0.35 })
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => measureZoom(page)).toEqual({ scale: 2, x: 0.2, y: 0.35 })
  await page.mouse.wheel(0, -9000)
  await expect.poll(async () => (await measureZoom(page)).scale).toBe(8)
  await expect(page.getByRole('button', { name: '8×, reset zoom' })).toBeVisible()
  await page.keyboard.press('0')
  await expect.poll(() => measureZoom(page)).toEqual({ scale: 1, x: 0, y: 0 })
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await expect.poll(() => measureZoom(page)).toEqual({ scale: 2.25, x: 0.28, y: 0.28 })
  await page.keyboard.press('-')
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(() => measureZoom(page)).toEqual({ scale: 1, x: 0, y: 0 })
  await page.mouse.dblclick(...toPixels(0.9, 0.1))
  await expect.poll(() => measureZoom(page)).toEqual({ scale: 2, x: 0.45, y: 0.05 })
  await page.keyboard.press('ArrowRight')
  await expect(findHeading(page)).toHaveText(SECOND_CAMERA)
  await expect.poll(() => measureZoom(page)).toEqual({ scale: 1, x: 0, y: 0 })
})

test('a press released outside the video no longer drags it', async ({ page }) => {
  await openFirstCamera(page)
  const box = await measurePosition(page, FIRST_CAMERA)
  const toPixels = (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const
  await page.mouse.move(...toPixels(0.5, 0.5))
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y - 40)
  await page.mouse.up()
  await page.mouse.move(...toPixels(0.2, 0.5))
  await page.mouse.wheel(0, -315)
  await expect.poll(() => measureZoom(page)).toEqual({ scale: 2, x: 0.1, y: 0.25 })
  await page.mouse.move(...toPixels(0.4, 0.3), { steps: 4 })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  // Settled: an active drag would have moved the video within these two frames.
  expect(await measureZoom(page)).toEqual({ scale: 2, x: 0.1, y: 0.25 })
})

test.describe('live camera on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  const touch = (cdp: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', points: [number, number][]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })

  /** Moves each finger from its position in `from` to its position in `to`, in steps as real fingers do. */
  async function drag(cdp: CDPSession, from: [number, number][], to: [number, number][]): Promise<void> {
    await touch(cdp, 'touchStart', from)
    for (let step = 1; step <= 6; step++) {
      const interpolate = (a: number, b = a) => a + ((b - a) * step) / 6
      const points = from.map(([x, y], index): [number, number] => [
        interpolate(x, to[index]?.[0]),
        interpolate(y, to[index]?.[1]),
      ])
      await touch(cdp, 'touchMove', points)
    }
    await touch(cdp, 'touchEnd', [])
  }

  test('a tap opens a camera, a swipe shows the next, a pinch zooms, and All cameras goes back', async ({ page }) => {
    await openSharedOfflineHome(page.context())
    await page.goto('/live')
    await waitForLivePage(page)
    // The tap position avoids the message in the middle of a tile without video.
    await findOpenButton(page, FIRST_CAMERA).tap({ position: { x: 20, y: 60 } })
    await expect(findHeading(page)).toHaveText(FIRST_CAMERA)
    const cdp = await page.context().newCDPSession(page)
    const box = await measurePosition(page, FIRST_CAMERA)
    const toPixels = (x: number, y: number): [number, number] => [box.x + x * box.width, box.y + y * box.height]
    await drag(cdp, [toPixels(0.8, 0.5)], [toPixels(0.3, 0.5)])
    await expect(findHeading(page)).toHaveText(SECOND_CAMERA)
    await drag(cdp, [toPixels(0.3, 0.5)], [toPixels(0.8, 0.5)])
    await expect(findHeading(page)).toHaveText(FIRST_CAMERA)
    // Pinch above the message in the middle of the camera view.
    await drag(cdp, [toPixels(0.4, 0.2), toPixels(0.6, 0.2)], [toPixels(0.2, 0.2), toPixels(0.8, 0.2)])
    await expect.poll(async () => (await measureZoom(page)).scale).toBeGreaterThan(2.5)
    const { x } = await measureZoom(page)
    await drag(cdp, [toPixels(0.8, 0.5)], [toPixels(0.5, 0.5)])
    await expect.poll(async () => (await measureZoom(page)).x).toBeGreaterThan(x + 0.05)
    await expect(findHeading(page)).toHaveText(FIRST_CAMERA)
    await page.getByRole('button', { name: 'All cameras' }).click()
    await expect(findOpenButton(page, FIRST_CAMERA)).toBeFocused()
  })

  test.describe('playing camera', () => {
    test.use({ storageState: SIGNED_IN_STATES.owner })

    test('has touch targets of at least 44 pixels and nothing wider than the screen', async ({ page }) => {
      await page.goto(singleCameraPath('Driveway'))
      await expect(page.getByRole('button', { name: 'Snapshot' })).toBeVisible()
      const listSmallTargets = () =>
        page.locator('.one-camera :is(button, a):not(.live-swap)').evaluateAll((elements) =>
          elements
            .map((element) => ({ name: element.textContent, box: element.getBoundingClientRect() }))
            .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < 44)
            .map(({ name }) => name),
        )
      // Poll until the opened video has reached its full size.
      await expect.poll(listSmallTargets).toEqual([])
      const measureOverflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      await expect.poll(measureOverflow).toBeLessThanOrEqual(0)
    })
  })
})
