import type { Page } from 'playwright/test'
import { formatMoreLikeThis } from '../../src/domain/copy/event-groups.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { eventCards, readEventIds } from '../support/events.ts'
import { findEventGroup } from '../support/event-group-day.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const findClip = (page: Page) => page.getByRole('region', { name: 'Clip' })
const findVideo = (page: Page) => page.locator('video[aria-label^=Recording]')

async function pauseVideo(page: Page): Promise<void> {
  await expect.poll(() => findVideo(page).evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(1)
  await findVideo(page).evaluate((video: HTMLVideoElement) => video.pause())
}

test('similar events form one row that expands in place and never hides a playing or selected event', async ({
  page,
}) => {
  const { eventGroup, link } = await findEventGroup(page)
  await page.goto(link)
  const row = eventCards(page).filter({ has: page.locator(`[data-event="${eventGroup.first.event_id}"]`) })
  const expandButton = row.getByRole('button', { name: formatMoreLikeThis(eventGroup.ids.length) })
  const listVisibleMembers = async () => (await readEventIds(page)).filter((id) => eventGroup.ids.includes(id))
  await expect(expandButton).toHaveAttribute('aria-expanded', 'false')
  expect(await listVisibleMembers()).toEqual([])

  await row.getByRole('link').focus()
  await page.keyboard.press('Tab')
  await expect(expandButton).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(expandButton).toHaveAttribute('aria-expanded', 'true')
  await expect.poll(listVisibleMembers).toEqual(eventGroup.ids)
  await page.keyboard.press('Enter')
  await expect.poll(listVisibleMembers).toEqual([])

  await row.getByRole('link').click()
  await pauseVideo(page)
  expect(await listVisibleMembers()).toEqual([])
  await page.keyboard.press('p')
  await expect.poll(listVisibleMembers).toEqual(eventGroup.ids)
  await expect(page.locator(`[data-event="${eventGroup.ids[0]}"]`)).toHaveAttribute('aria-current', 'true')
  await expect(expandButton).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(findClip(page)).toHaveCount(0)
  await expect.poll(listVisibleMembers).toEqual(eventGroup.ids)

  await expandButton.click()
  await expect.poll(listVisibleMembers).toEqual([])
  await page.keyboard.press('Escape')
  await row.getByRole('checkbox').click()
  await expect(page.getByText('1 selected')).toBeVisible()
  expect(await listVisibleMembers()).toEqual([])
  await page.getByRole('button', { name: 'Select all' }).click()
  await expect.poll(listVisibleMembers).toEqual(eventGroup.ids)
})

test('a link to an event inside a collapsed group shows it in the list', { tag: '@all' }, async ({ page }) => {
  const { eventGroup, link } = await findEventGroup(page)
  await page.goto(`${link}&event=${eventGroup.ids.at(-1)}`)
  await expect(page.locator(`[data-event="${eventGroup.ids.at(-1)}"]`)).toHaveAttribute('aria-current', 'true')
})
