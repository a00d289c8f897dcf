import type { Page } from 'playwright/test'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { cards } from '../support/events.ts'
import { moveLetGo } from '../support/pointer.ts'
import { measureBox, clip, openId, openQuiet, strips } from '../support/timeline.ts'

test.use({ storageState: SIGNED_IN.owner })

const cursor = (page: Page) => page.locator('[data-cursor]')
const second = (page: Page) => clip(page).evaluate((video: HTMLVideoElement) => video.currentTime)

async function openStopped(page: Page): Promise<void> {
  await openQuiet(page)
  await cards(page).nth(1).click()
  await expect.poll(() => clip(page).evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(1)
  await clip(page).evaluate((video: HTMLVideoElement) => {
    video.pause()
    video.currentTime = 0
  })
  await expect.poll(() => second(page)).toBe(0)
}

test(
  'a timeline drag without a pointerup ends at the next movement and opens nothing',
  { tag: '@all' },
  async ({ page }) => {
    await openQuiet(page)
    const { x, y, width, height } = await measureBox(strips(page).nth(1))
    const other = await measureBox(strips(page).nth(3))
    await page.mouse.move(x + width * 0.9, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.4, y + height / 2, { steps: 8 })
    await expect(cursor(page)).toBeVisible()
    // The pointer moves to another strip. A drag that still ran would stay on the first strip.
    await moveLetGo(page, x + width * 0.5, other.y + other.height / 2)
    const pointed = () => strips(page).nth(3).getAttribute('aria-label')
    await expect.poll(pointed).not.toMatch(/: On for .+ events?$/)
    await page.mouse.up()
    expect(openId(page)).toBe('')
    await moveLetGo(page, x + width * 0.5, y - 300)
    await expect(cursor(page)).toHaveCount(0)
  },
)

test(
  'the right mouse button neither seeks in the clip nor opens another; the main button does both',
  { tag: '@all' },
  async ({ page }) => {
    await openStopped(page)
    const bar = await measureBox(page.getByRole('slider', { name: 'Position in the clip' }))
    const middle = [bar.x + bar.width / 2, bar.y + bar.height / 2] as const
    await page.mouse.move(...middle)
    await page.mouse.down({ button: 'right' })
    await page.mouse.move(middle[0] + 20, middle[1])
    await page.mouse.up({ button: 'right' })
    // Settled: a press that seeks has done so before the button goes up.
    expect(await second(page)).toBe(0)
    await page.mouse.click(...middle)
    await expect.poll(() => second(page)).toBeGreaterThan(1)
    const at = await second(page)
    await page.mouse.down()
    await moveLetGo(page, bar.x + bar.width * 0.9, middle[1])
    await page.mouse.up()
    // Settled: a drag seeks at each movement, before the button goes up.
    expect(await second(page)).toBeCloseTo(at, 0)
  },
)
