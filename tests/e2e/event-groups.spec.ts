import type { Page } from 'playwright/test'
import { moreLikeThis } from '../../src/domain/copy/event-groups.ts'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { cards, eventIds } from '../support/events.ts'
import { findFold } from '../support/folds.ts'

test.use({ storageState: SIGNED_IN.owner })

const clip = (page: Page) => page.getByRole('region', { name: 'Clip' })
const player = (page: Page) => page.locator('video[aria-label^=Recording]')

async function stop(page: Page): Promise<void> {
  await expect.poll(() => player(page).evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(1)
  await player(page).evaluate((video: HTMLVideoElement) => video.pause())
}

test('similar events form one row that expands in place and never hides a playing or selected event', async ({
  page,
}) => {
  const { fold, link } = await findFold(page)
  await page.goto(link)
  const row = cards(page).filter({ has: page.locator(`[data-event="${fold.first.event_id}"]`) })
  const more = row.getByRole('button', { name: moreLikeThis(fold.ids.length) })
  const hidden = async () => (await eventIds(page)).filter((id) => fold.ids.includes(id))
  await expect(more).toHaveAttribute('aria-expanded', 'false')
  expect(await hidden()).toEqual([])

  await row.getByRole('link').focus()
  await page.keyboard.press('Tab')
  await expect(more).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(more).toHaveAttribute('aria-expanded', 'true')
  await expect.poll(hidden).toEqual(fold.ids)
  await page.keyboard.press('Enter')
  await expect.poll(hidden).toEqual([])

  await row.getByRole('link').click()
  await stop(page)
  expect(await hidden()).toEqual([])
  await page.keyboard.press('p')
  await expect.poll(hidden).toEqual(fold.ids)
  await expect(page.locator(`[data-event="${fold.ids[0]}"]`)).toHaveAttribute('aria-current', 'true')
  await expect(more).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(clip(page)).toHaveCount(0)
  await expect.poll(hidden).toEqual(fold.ids)

  await more.click()
  await expect.poll(hidden).toEqual([])
  await page.keyboard.press('Escape')
  await row.getByRole('checkbox').click()
  await expect(page.getByText('1 chosen')).toBeVisible()
  expect(await hidden()).toEqual([])
  await page.getByRole('button', { name: 'Choose all' }).click()
  await expect.poll(hidden).toEqual(fold.ids)
})

test('a link to an event inside a collapsed group shows it in the list', { tag: '@all' }, async ({ page }) => {
  const { fold, link } = await findFold(page)
  await page.goto(`${link}&event=${fold.ids.at(-1)}`)
  await expect(page.locator(`[data-event="${fold.ids.at(-1)}"]`)).toHaveAttribute('aria-current', 'true')
})
