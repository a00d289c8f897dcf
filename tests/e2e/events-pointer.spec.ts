import type { Page } from 'playwright/test'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { eventCards } from '../support/events.ts'
import { moveWithoutButton } from '../support/pointer.ts'
import { measureBox, clipPlayer, readOpenEventId, openLoadedTimeline, timelineStrips } from '../support/timeline.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const findCursor = (page: Page) => page.locator('[data-cursor]')
const readCurrentTime = (page: Page) => clipPlayer(page).evaluate((video: HTMLVideoElement) => video.currentTime)

async function openPausedClip(page: Page): Promise<void> {
  await openLoadedTimeline(page)
  await eventCards(page).nth(1).click()
  await expect.poll(() => clipPlayer(page).evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(1)
  await clipPlayer(page).evaluate((video: HTMLVideoElement) => {
    video.pause()
    video.currentTime = 0
  })
  await expect.poll(() => readCurrentTime(page)).toBe(0)
}

test(
  'a timeline drag without a pointerup ends at the next movement and opens nothing',
  { tag: '@all' },
  async ({ page }) => {
    await openLoadedTimeline(page)
    const { x, y, width, height } = await measureBox(timelineStrips(page).nth(1))
    const other = await measureBox(timelineStrips(page).nth(3))
    await page.mouse.move(x + width * 0.9, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.4, y + height / 2, { steps: 8 })
    await expect(findCursor(page)).toBeVisible()
    // Moves the pointer to another strip. An active drag would keep the cursor on the first strip.
    await moveWithoutButton(page, x + width * 0.5, other.y + other.height / 2)
    const readStripLabel = () => timelineStrips(page).nth(3).getAttribute('aria-label')
    await expect.poll(readStripLabel).not.toMatch(/: Online for .+ events?$/)
    await page.mouse.up()
    expect(readOpenEventId(page)).toBe('')
    await moveWithoutButton(page, x + width * 0.5, y - 300)
    await expect(findCursor(page)).toHaveCount(0)
  },
)

test(
  'the right mouse button neither seeks in the clip nor opens another; the main button does both',
  { tag: '@all' },
  async ({ page }) => {
    await openPausedClip(page)
    const bar = await measureBox(page.getByRole('slider', { name: 'Position in the clip' }))
    const middle = [bar.x + bar.width / 2, bar.y + bar.height / 2] as const
    await page.mouse.move(...middle)
    await page.mouse.down({ button: 'right' })
    await page.mouse.move(middle[0] + 20, middle[1])
    await page.mouse.up({ button: 'right' })
    // Settled: a press seeks before the button is released.
    expect(await readCurrentTime(page)).toBe(0)
    await page.mouse.click(...middle)
    await expect.poll(() => readCurrentTime(page)).toBeGreaterThan(1)
    const secondBeforeDrag = await readCurrentTime(page)
    await page.mouse.down()
    await moveWithoutButton(page, bar.x + bar.width * 0.9, middle[1])
    await page.mouse.up()
    // Settled: a drag seeks at each movement, before the button is released.
    expect(await readCurrentTime(page)).toBeCloseTo(secondBeforeDrag, 0)
  },
)
