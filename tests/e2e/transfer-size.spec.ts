import type { Page } from 'playwright/test'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { waitForLivePage } from '../support/live.ts'
import { AFTERNOON_TIME_ZONE } from '../support/time-zone.ts'

/**
 * Limit of a first visit of /live without a cache, KiB, with all headers but without the last frames of the cameras,
 * whose size depends on scene and time of day. The visit needs 235 KiB (docs/decisions/0112).
 */
const FIRST_VISIT_KIB_MAX = 250
/** Scripts that an idle page loads in advance for the next press. */
const NEXT_VIEW_SCRIPT = /\/_astro\/(?:CameraView|Dialogs)\./
/** Last frames of cameras, and thumbnails of past events. */
const IMAGE = /\/m\/(?:last|thumb)\//

/** Height of a row in the list of today's events (deferred-parts.css), px. */
const ROW_HEIGHT_PX = 62

test.use({ storageState: SIGNED_IN_STATES.owner })

interface Transfer {
  readonly url: string
  readonly encoding: string
  bytes: number
}

/** Records all responses of the page with their transferred bytes, headers included. */
async function recordTransfers(page: Page): Promise<ReadonlyMap<string, Transfer>> {
  const transfers = new Map<string, Transfer>()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    const encoding = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-encoding')
    transfers.set(requestId, { url: response.url, encoding: encoding?.[1] ?? '', bytes: 0 })
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const transfer = transfers.get(requestId)
    if (transfer) transfer.bytes = encodedDataLength
  })
  return transfers
}

test('a first visit of the live page stays below its transfer size, because text is compressed', async ({ page }) => {
  await page.route(NEXT_VIEW_SCRIPT, () => {})
  const transfers = await recordTransfers(page)
  await page.goto('/live')
  await waitForLivePage(page)
  const list = () => [...transfers.values()].filter(({ bytes }) => bytes > 0)
  // Analytics are the last script.
  await expect.poll(() => list().some(({ url }) => url.includes('/_astro/page-analytics.'))).toBe(true)
  const counted = list().filter(({ url }) => !IMAGE.test(url))
  expect(counted.filter(({ url, encoding }) => /react\.|\/live$/.test(url) && encoding !== 'br')).toEqual([])
  const kib = counted.reduce((sum, { bytes }) => sum + bytes, 0) / 1024
  expect(kib, `${counted.length} responses`).toBeLessThan(FIRST_VISIT_KIB_MAX)
})

test.describe('in the afternoon', () => {
  test.use({ timezoneId: AFTERNOON_TIME_ZONE })

  test('the list of today loads the thumbnails of a row when the row is shown', async ({ page }) => {
    await page.goto('/live')
    const rows = page.getByRole('complementary', { name: 'Today' }).getByRole('listitem')
    await expect(rows.first().locator('img[data-shown]')).toBeVisible()
    // Settled: the rows and the height of the list do not change after the first image.
    const heights = await rows
      .first()
      .locator('..')
      .evaluate((list) => [list.clientHeight, list.scrollHeight] as const)
    const [shownCount, rowCount] = heights.map((heightPx) => Math.round(heightPx / ROW_HEIGHT_PX)) as [number, number]
    expect(rowCount).toBeGreaterThan(shownCount)
    await expect(rows.locator('img[data-shown]')).toHaveCount(shownCount)
    // Settled: the browser reports all rows that it shows together.
    await expect(rows.locator('img')).toHaveCount(shownCount)

    await rows.last().scrollIntoViewIfNeeded()
    await expect(rows.last().locator('img[data-shown]')).toBeVisible()
  })
})
