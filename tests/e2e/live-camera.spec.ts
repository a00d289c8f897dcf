import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright/test'
import { alone } from '../support/demo-cameras.ts'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { ready } from '../support/live.ts'
import { expectMoving } from '../support/moving.ts'
import { openSharedHome, STILL } from '../support/still-home.ts'
import { HALF_DAY_ZONE } from '../support/time-zone.ts'

const tile = (page: Page, name: string) => page.getByRole('listitem', { name: new RegExp(`^${name}, `) })
const surface = (page: Page, name: string) => page.getByRole('button', { name: `Open ${name}` })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const view = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`^${name}, `) })
const video = (page: Page, name: string) => page.getByLabel(`${name}, live picture`)
/** Click position that avoids the message in the middle of a tile without video. */
const CORNER = { position: { x: 20, y: 60 } }

/** From now on, counts the video's frames and records its pause, emptied, abort and ended events. */
const watch = (locator: Locator) =>
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
  test.use({ storageState: SIGNED_IN.free })

  async function open(page: Page): Promise<void> {
    await page.goto('/live')
    await expect(tile(page, 'Street')).toHaveAccessibleName('Street, live')
    await ready(page)
  }

  test('one click opens a camera whose video keeps playing over the same connection, there and back', async ({
    page,
  }) => {
    await open(page)
    // Wait until the video plays over WebRTC: after that, the transport no longer changes automatically.
    await expect
      .poll(() => video(page, 'Street').evaluate((element: HTMLVideoElement) => element.srcObject !== null))
      .toBe(true)
    const seen = await watch(video(page, 'Street'))
    const urls: string[] = []
    // Record only the camera's sockets: the socket of the home's feed may open late.
    page.on('websocket', (socket) => socket.url().includes('/camera/') && urls.push(socket.url()))
    page.on('request', (request) => request.url().includes('get-streams') && urls.push(request.url()))
    await surface(page, 'Street').click()
    await expect(heading(page)).toHaveText('Street')
    await expect(view(page, 'Street').locator('video')).toHaveCount(1)
    const frames = () => seen.evaluate((stats) => stats.frames)
    for (let round = 0; round < 2; round++) {
      const before = await frames()
      await expect.poll(frames).toBeGreaterThan(before + 5)
      await expectMoving(video(page, 'Street'))
    }
    expect(urls).toEqual([])
    await page.goBack()
    await expect(tile(page, 'Street').locator('video')).toHaveCount(1)
    const before = await frames()
    await expect.poll(frames).toBeGreaterThan(before + 5)
    // Settled: the picture has played on after the last change, and a stop stays in the list.
    expect(await seen.evaluate((stats) => stats.stops)).toEqual([])
  })

  test('the zoom hint appears only twice in total', { tag: '@all' }, async ({ page }) => {
    await open(page)
    const hint = page.getByText('Scroll to zoom')
    for (let visit = 0; visit < 2; visit++) {
      await surface(page, 'Street').click()
      await expect(hint).toBeVisible()
      await expect(hint).toBeHidden()
      await page.goBack()
    }
    await surface(page, 'Street').click()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('zoomHints'))).toBe('2')
    await expectMoving(video(page, 'Street'))
    await expect(hint).toBeHidden()
  })
})

test.describe('live view in a home without video', () => {
  test.beforeEach(async ({ page, context }) => {
    await openSharedHome(context)
    await page.goto('/live')
    await expect(tile(page, STILL[5])).toHaveAccessibleName(`${STILL[5]}, offline`)
    await ready(page)
  })

  test('Back returns to all cameras, at the same scroll position and tile as before', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 700 })
    const [, , , fourth] = STILL
    await surface(page, fourth).scrollIntoViewIfNeeded()
    const scrolled = () => page.evaluate(() => Math.round(scrollY))
    await expect.poll(scrolled).toBeGreaterThan(100)
    const before = await scrolled()
    await surface(page, fourth).click(CORNER)
    await expect(heading(page)).toHaveText(fourth)
    await expect(page.getByRole('button', { name: 'All cameras' })).toBeInViewport()
    await expect(page.getByRole('button', { name: 'All cameras' })).toBeFocused()
    await page.goBack()
    await expect(surface(page, fourth)).toBeFocused()
    await expect.poll(scrolled).toBe(before)
    await page.goForward()
    await expect(heading(page)).toHaveText(fourth)
  })

  test('buttons and arrow keys cycle through all cameras, and one step back returns to all of them', async ({
    page,
  }) => {
    const others = page.getByRole('navigation', { name: 'Other cameras' })
    const last = STILL[5]
    await surface(page, STILL[0]).click(CORNER)
    await expect(others).toContainText(`1 of ${STILL.length}`)
    await others.getByRole('button', { name: `Next camera: ${STILL[1]}` }).click()
    await expect(heading(page)).toHaveText(STILL[1])
    await expect(page).toHaveURL(/\?camera=/)
    await page.keyboard.press('ArrowLeft')
    await expect(heading(page)).toHaveText(STILL[0])
    await page.keyboard.press('ArrowLeft')
    await expect(heading(page)).toHaveText(last)
    await expect(others).toContainText(`${STILL.length} of ${STILL.length}`)
    await page.goBack()
    await expect(page).toHaveURL(/\/live$/)
    await expect(surface(page, last)).toBeFocused()
  })

  test('the keyboard alone opens a camera, reaches its controls, shows it in full screen and leaves it', async ({
    page,
  }) => {
    await surface(page, 'Driveway').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'All cameras' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: /^Previous camera/ })).toBeFocused()
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate(() => document.fullscreenElement?.className)).toBe('one-frame')
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
    await page.getByRole('button', { name: 'All cameras' }).press('Enter')
    await expect(surface(page, 'Driveway')).toBeFocused()
  })
})

test.describe('single-camera view in the owner’s home', () => {
  test.use({ storageState: SIGNED_IN.owner, timezoneId: HALF_DAY_ZONE })

  test('a direct URL shows its camera, snapshots have full stream resolution, and All cameras stays on the page', async ({
    page,
  }) => {
    await page.goto(alone('Driveway'))
    await expect(heading(page)).toHaveText('Driveway')
    await expect(view(page, 'Driveway')).toHaveAccessibleName('Driveway, live')
    await expectMoving(video(page, 'Driveway'))
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Snapshot' }).click()
    const file = await download
    const name = file.suggestedFilename()
    expect(name).toMatch(/^Driveway \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.jpg$/)
    await expect(page.getByText(`Saved as “${name}”.`)).toBeVisible()
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
    const again = page.waitForEvent('download')
    await page.keyboard.press('s')
    expect((await again).suggestedFilename()).toMatch(/^Driveway /)
    await page.getByRole('button', { name: 'All cameras' }).click()
    await expect(tile(page, 'Driveway')).toBeVisible()
    await expect(page).toHaveURL(/\/live$/)
  })

  test('the camera’s own day appears below, its own events beside it, and each leads to its clip', async ({ page }) => {
    await page.goto(alone('Driveway'))
    const events = page.getByRole('complementary', { name: 'Events of Driveway' })
    await expect(events.getByRole('listitem').first()).toBeVisible()
    const day = page.getByRole('region', { name: 'Today' })
    await expect(day).toContainText(/\d+ recordings? · .*on \d+ h/)
    await expect(events.getByRole('link', { name: 'All events of Driveway' })).toHaveAttribute(
      'href',
      /^\/events\?cameras=\w+$/,
    )
    await events.getByRole('link', { name: 'From the start' }).click()
    await expect(page).toHaveURL(/\/events\?event=/)
    await page.goBack()
    await expect(heading(page)).toHaveText('Driveway')
    await expect(events.getByRole('listitem').first()).toBeVisible()
    await day.getByRole('img').click({ position: { x: 200, y: 40 } })
    await expect(page).toHaveURL(/\/events\?event=/)
  })

  test('a sleeping camera says so, can be woken, and still shows its day and events', async ({ page }) => {
    await page.goto(alone('Garage'))
    await expect(view(page, 'Garage')).toHaveAccessibleName('Garage, asleep')
    await expect(view(page, 'Garage').getByRole('button', { name: 'Wake' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Snapshot' })).toBeHidden()
    await expect(page.getByRole('region', { name: 'Today' })).toContainText(/asleep \d+ h/)
    await expect(page.getByRole('link', { name: 'All events of Garage' })).toBeVisible()
  })
})
