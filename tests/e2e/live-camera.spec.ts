import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright/test'
import { singleCameraPath } from '../support/demo-cameras.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { waitForLivePage } from '../support/live.ts'
import { expectPlaying } from '../support/moving.ts'
import { openSharedOfflineHome, OFFLINE_CAMERA_NAMES } from '../support/offline-home.ts'
import { AFTERNOON_TIME_ZONE } from '../support/time-zone.ts'

const findTile = (page: Page, name: string) => page.getByRole('listitem', { name: new RegExp(`^${name}, `) })
const findOpenButton = (page: Page, name: string) => page.getByRole('button', { name: `Open ${name}` })
const findHeading = (page: Page) => page.getByRole('heading', { level: 1 })
const findCameraView = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`^${name}, `) })
const findVideo = (page: Page, name: string) => page.getByLabel(`${name}, live video`)
/** Click position that avoids the message in the middle of a tile without video. */
const TILE_CORNER = { position: { x: 20, y: 60 } }

const recordPlayback = (locator: Locator) =>
  locator.evaluateHandle((element: HTMLVideoElement) => {
    const seen = { frames: 0, stops: [] as string[] }
    const count = () => {
      seen.frames += 1
      element.requestVideoFrameCallback(count)
    }
    element.requestVideoFrameCallback(count)
    for (const type of ['pause', 'emptied', 'abort', 'ended'])
      element.addEventListener(type, () => seen.stops.push(type))
    return seen
  })

test.describe('live view in a home with one camera', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })

  async function openLivePage(page: Page): Promise<void> {
    await page.goto('/live')
    await expect(findTile(page, 'Street')).toHaveAccessibleName('Street, live')
    await waitForLivePage(page)
  }

  test('one click opens a camera whose video keeps playing over the same connection, there and back', async ({
    page,
  }) => {
    await openLivePage(page)
    // Wait until the video plays over WebRTC: after that, the transport no longer changes automatically.
    await expect
      .poll(() => findVideo(page, 'Street').evaluate((element: HTMLVideoElement) => element.srcObject !== null))
      .toBe(true)
    const playback = await recordPlayback(findVideo(page, 'Street'))
    const urls: string[] = []
    // Record only the camera's sockets: the socket of the home's feed may open late.
    page.on('websocket', (socket) => socket.url().includes('/camera/') && urls.push(socket.url()))
    page.on('request', (request) => request.url().includes('get-streams') && urls.push(request.url()))
    await findOpenButton(page, 'Street').click()
    await expect(findHeading(page)).toHaveText('Street')
    await expect(findCameraView(page, 'Street').locator('video')).toHaveCount(1)
    const readFrameCount = () => playback.evaluate((stats) => stats.frames)
    for (let round = 0; round < 2; round++) {
      const before = await readFrameCount()
      await expect.poll(readFrameCount).toBeGreaterThan(before + 5)
      await expectPlaying(findVideo(page, 'Street'))
    }
    expect(urls).toEqual([])
    await page.goBack()
    await expect(findTile(page, 'Street').locator('video')).toHaveCount(1)
    const before = await readFrameCount()
    await expect.poll(readFrameCount).toBeGreaterThan(before + 5)
    // Settled: the video has continued after the last change, and a recorded stop stays in the list.
    expect(await playback.evaluate((stats) => stats.stops)).toEqual([])
  })

  test('the zoom hint appears only twice in total', { tag: '@all' }, async ({ page }) => {
    await openLivePage(page)
    const hint = page.getByText('Scroll to zoom')
    for (let visit = 0; visit < 2; visit++) {
      await findOpenButton(page, 'Street').click()
      await expect(hint).toBeVisible()
      await expect(hint).toBeHidden()
      await page.goBack()
    }
    await findOpenButton(page, 'Street').click()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('zoomHints'))).toBe('2')
    await expectPlaying(findVideo(page, 'Street'))
    await expect(hint).toBeHidden()
  })
})

test.describe('live view in a home without video', () => {
  test.beforeEach(async ({ page, context }) => {
    await openSharedOfflineHome(context)
    await page.goto('/live')
    await expect(findTile(page, OFFLINE_CAMERA_NAMES[5])).toHaveAccessibleName(`${OFFLINE_CAMERA_NAMES[5]}, offline`)
    await waitForLivePage(page)
  })

  test('Back returns to all cameras, at the same scroll position and tile as before', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 700 })
    const [, , , fourth] = OFFLINE_CAMERA_NAMES
    await findOpenButton(page, fourth).scrollIntoViewIfNeeded()
    const readScrollTop = () => page.evaluate(() => Math.round(scrollY))
    await expect.poll(readScrollTop).toBeGreaterThan(100)
    const before = await readScrollTop()
    await findOpenButton(page, fourth).click(TILE_CORNER)
    await expect(findHeading(page)).toHaveText(fourth)
    await expect(page.getByRole('button', { name: 'All cameras' })).toBeInViewport()
    await expect(page.getByRole('button', { name: 'All cameras' })).toBeFocused()
    await page.goBack()
    await expect(findOpenButton(page, fourth)).toBeFocused()
    await expect.poll(readScrollTop).toBe(before)
    await page.goForward()
    await expect(findHeading(page)).toHaveText(fourth)
  })

  test('buttons and arrow keys cycle through all cameras, and one step back returns to all of them', async ({
    page,
  }) => {
    const others = page.getByRole('navigation', { name: 'Other cameras' })
    const last = OFFLINE_CAMERA_NAMES[5]
    await findOpenButton(page, OFFLINE_CAMERA_NAMES[0]).click(TILE_CORNER)
    await expect(others).toContainText(`1 of ${OFFLINE_CAMERA_NAMES.length}`)
    await others.getByRole('button', { name: `Next camera: ${OFFLINE_CAMERA_NAMES[1]}` }).click()
    await expect(findHeading(page)).toHaveText(OFFLINE_CAMERA_NAMES[1])
    await expect(page).toHaveURL(/\?camera=/)
    await page.keyboard.press('ArrowLeft')
    await expect(findHeading(page)).toHaveText(OFFLINE_CAMERA_NAMES[0])
    await page.keyboard.press('ArrowLeft')
    await expect(findHeading(page)).toHaveText(last)
    await expect(others).toContainText(`${OFFLINE_CAMERA_NAMES.length} of ${OFFLINE_CAMERA_NAMES.length}`)
    await page.goBack()
    await expect(page).toHaveURL(/\/live$/)
    await expect(findOpenButton(page, last)).toBeFocused()
  })

  test('the keyboard alone opens a camera, reaches its controls, shows it in full screen and leaves it', async ({
    page,
  }) => {
    await findOpenButton(page, 'Driveway').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'All cameras' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: /^Previous camera/ })).toBeFocused()
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate(() => document.fullscreenElement?.className)).toBe('one-frame')
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
    await page.getByRole('button', { name: 'All cameras' }).press('Enter')
    await expect(findOpenButton(page, 'Driveway')).toBeFocused()
  })
})

test.describe('single-camera view in the owner’s home', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner, timezoneId: AFTERNOON_TIME_ZONE })

  test('a direct URL shows its camera, snapshots have full stream resolution, and All cameras stays on the page', async ({
    page,
  }) => {
    await page.goto(singleCameraPath('Driveway'))
    await expect(findHeading(page)).toHaveText('Driveway')
    await expect(findCameraView(page, 'Driveway')).toHaveAccessibleName('Driveway, live')
    await expectPlaying(findVideo(page, 'Driveway'))
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Snapshot' }).click()
    const file = await download
    const name = file.suggestedFilename()
    expect(name).toMatch(/^Driveway \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.jpg$/)
    const toast = page.getByText(`Saved as “${name}”.`)
    await expect(toast).toBeVisible()
    const [toastBox, toolbarBox] = [await toast.boundingBox(), await page.locator('.one-bar').boundingBox()]
    // Settled: the toast is visible, and neither it nor the toolbar moves vertically after that.
    expect(toastBox!.y).toBeGreaterThanOrEqual(toolbarBox!.y + toolbarBox!.height)
    const picture = readFileSync(await file.path()).toString('base64')
    const size = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const { width, height } = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
      return [width, height]
    }, picture)
    expect([
      [640, 360],
      [1280, 720],
    ]).toContainEqual(size)
    const secondDownload = page.waitForEvent('download')
    await page.keyboard.press('s')
    expect((await secondDownload).suggestedFilename()).toMatch(/^Driveway /)
    await page.getByRole('button', { name: 'All cameras' }).click()
    await expect(findTile(page, 'Driveway')).toBeVisible()
    await expect(page).toHaveURL(/\/live$/)
    const todayRows = page.locator('.live-today-list')
    await expect(todayRows.getByRole('listitem').first()).toBeVisible()
    // The list shows whole rows.
    await expect.poll(() => todayRows.evaluate(({ clientHeight }) => clientHeight % 62)).toBe(0)
  })

  test('the camera’s own day appears below, its own events beside it, and each leads to its clip', async ({ page }) => {
    await page.goto(singleCameraPath('Driveway'))
    const events = page.getByRole('complementary', { name: 'Events from Driveway' })
    await expect(events.getByRole('listitem').first()).toBeVisible()
    const day = page.getByRole('region', { name: 'Today' })
    await expect(day).toContainText(/\d+ recordings? · .*online \d+ h/)
    await expect(events.getByRole('link', { name: 'All events from Driveway' })).toHaveAttribute(
      'href',
      /^\/events\?cameras=\w+$/,
    )
    const [label, ticks] = [page.locator('.one-now > b'), page.locator('.one-lane')]
    const [labelBox, ticksBox] = [await label.boundingBox(), await ticks.boundingBox()]
    // Settled: the timeline has its summary, and its parts have fixed heights.
    expect(labelBox!.y + labelBox!.height).toBeLessThanOrEqual(ticksBox!.y)
    await events.getByRole('link', { name: 'Play clip' }).click()
    await expect(page).toHaveURL(/\/events\?event=/)
    await page.goBack()
    await expect(findHeading(page)).toHaveText('Driveway')
    await expect(events.getByRole('listitem').first()).toBeVisible()
    await day.getByRole('img').click({ position: { x: 200, y: 40 } })
    await expect(page).toHaveURL(/\/events\?event=/)
  })

  test('a sleeping camera says so, can be woken, and still shows its day and events', async ({ page }) => {
    await page.goto(singleCameraPath('Garage'))
    await expect(findCameraView(page, 'Garage')).toHaveAccessibleName('Garage, asleep')
    await expect(findCameraView(page, 'Garage').getByRole('button', { name: 'Wake' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Snapshot' })).toBeHidden()
    await expect(page.getByRole('region', { name: 'Today' })).toContainText(/asleep \d+ h/)
    await expect(page.getByRole('link', { name: 'All events from Garage' })).toBeVisible()
  })
})
