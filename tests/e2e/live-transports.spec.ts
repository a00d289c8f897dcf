import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN.owner })

const live = (page: Page) => page.getByRole('listitem', { name: /, live$/i })
const front = (page: Page) => page.getByRole('listitem', { name: /^Front door, / })

/** How the front door's picture comes: `webrtc`, `mse`, or `none` in its video element. */
const wayOf = (page: Page) =>
  front(page)
    .locator('video')
    .evaluate((video: HTMLVideoElement) =>
      video.srcObject ? 'webrtc' : video.src.startsWith('blob:') ? 'mse' : 'none',
    )

const timeOf = (page: Page) =>
  front(page)
    .locator('video')
    .evaluate((video: HTMLVideoElement) => video.currentTime)

async function expectMoving(page: Page): Promise<void> {
  const before = await timeOf(page)
  await expect.poll(() => timeOf(page)).toBeGreaterThan(before)
}

/** In a page: as if this browser had no way to play fragments. */
const withoutMse = () => {
  delete (globalThis as { MediaSource?: unknown }).MediaSource
  delete (globalThis as { ManagedMediaSource?: unknown }).ManagedMediaSource
}

test('every tile has WebRTC in the end, whichever way its first picture came', async ({ page }) => {
  await page.goto('/live')
  await expect(live(page).nth(3)).toBeVisible()
  await expect.poll(() => wayOf(page)).toBe('webrtc')
  await expectMoving(page)
})

test('without WebRTC the relay plays', async ({ page }) => {
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.goto('/live')
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  expect(await wayOf(page)).toBe('mse')
  await expectMoving(page)
})

test('without the relay WebRTC plays alone', async ({ page }) => {
  await page.addInitScript(withoutMse)
  await page.goto('/live')
  await expect(front(page)).toHaveAccessibleName(/, live$/)
  expect(await wayOf(page)).toBe('webrtc')
  await expectMoving(page)
})

test('when nothing is left the tile says why, and tries again by itself', async ({ page, problems }) => {
  await page.addInitScript(withoutMse)
  await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.route('**/api/p/extension/extension/snapshot', (route) => route.abort())
  await page.goto('/live')
  await expect(front(page).getByText('This browser has neither WebRTC nor another way')).toBeVisible()
  await expect(front(page).getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/api/p/extension/extension/snapshot')
  await expect(front(page)).toHaveAccessibleName(/, live$/, { timeout: 30_000 })
  problems.length = 0
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
  await expectMoving(page)
})

test('two pages watch the same four cameras', async ({ page, context }) => {
  const second = await context.newPage()
  for (const one of [page, second]) {
    await one.bringToFront()
    await one.goto('/live')
    await expect(live(one).nth(3)).toBeVisible()
    await expectMoving(one)
  }
})

/** Ends the bridge's processes at once; its supervisor starts them again. */
function killBridge(): void {
  const run = JSON.parse(readFileSync('test-results/data/run.json', 'utf8')) as {
    parts: Record<string, { pid: number }>
  }
  process.kill(-(run.parts['bridge']?.pid ?? Number.NaN), 'SIGKILL')
}

test('pictures come back by themselves after the bridge was killed', async ({ page, problems }) => {
  await page.goto('/live')
  await expect.poll(() => wayOf(page)).toBe('webrtc')
  await page.evaluate(() => ((globalThis as { isSamePage?: boolean }).isSamePage = true))
  killBridge()
  await expect(front(page)).not.toHaveAccessibleName(/, live$/)
  // The bridge's own start, and two of the promised seconds three times over.
  await expect(front(page)).toHaveAccessibleName(/, live$/, { timeout: 45_000 })
  await expectMoving(page)
  expect(await page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage)).toBe(true)
  problems.length = 0
})
