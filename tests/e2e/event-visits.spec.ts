import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { createAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import { expect, test } from '../support/e2e.ts'
import { findViolations } from '../support/axe.ts'
import { eventCards } from '../support/events.ts'
import { createBridgeEvent } from '../support/home.ts'
import { addNewCameras } from '../support/new-cameras.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

const THUMBNAIL_URL = new URL('../../scenes/rendered/living-room/night-poster.jpg', import.meta.url)
const CLIP_COUNT = 24
const CLIP_INTERVAL_MS = 20_000
/** All clips are in one hour, so that they are also on one day at any time of day. */
const HOUR_START_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS
const VISIT_START_MS = HOUR_START_MS + HOUR_MS / 2

/** Signs in to a new account: a visit of 24 clips at Street, an earlier clip there, and a clip at Yard meanwhile. */
async function openVisits(page: Page): Promise<{ street: string }> {
  const email = await createAccount('visits')
  const { bridge, getDeviceId } = await addNewCameras(email, ['Street', 'Yard'])
  const street = getDeviceId('Street')
  const visitClips = Array.from({ length: CLIP_COUNT }, (_, i) => ({
    camera: street,
    at: VISIT_START_MS + i * CLIP_INTERVAL_MS,
  }))
  const otherClips = [
    { camera: street, at: HOUR_START_MS },
    { camera: getDeviceId('Yard'), at: VISIT_START_MS + CLIP_INTERVAL_MS / 2 },
  ]
  const thumbnail = readFileSync(THUMBNAIL_URL)
  const thumbnails = new Map<string, string>()
  for (const { camera } of otherClips) thumbnails.set(camera, await bridge.upload(camera, 'thumb', camera, thumbnail))
  for (const { camera, at } of [...otherClips, ...visitClips]) {
    const thumb_object = thumbnails.get(camera) ?? null
    const event = createBridgeEvent(camera, `${camera}-${at.toString(36)}`, { event_ts: at, thumb_object })
    expect((await bridge.postEvent(event)).status).toBe(200)
  }
  await signInContext(page.context(), email, PASSWORD)
  await page.goto('/events')
  await expect(eventCards(page)).toHaveCount(3)
  return { street }
}

const findVisit = (page: Page) => eventCards(page).filter({ has: findClipsButton(page) })
const findClipsButton = (page: Page) => page.getByRole('button', { name: `${CLIP_COUNT} clips`, exact: true })
const expectRowCount = (page: Page, count: number) =>
  expect(eventCards(page).first()).toHaveAttribute('aria-setsize', String(count))

test('clips less than a minute apart are one row that opens in place by keyboard', async ({ page }) => {
  await openVisits(page)
  await expect(page.getByText('3 visits · 26 clips')).toBeVisible()
  await expect(findVisit(page).getByRole('link')).toHaveAccessibleName(/^Person, Street, .* – .*, 24 clips$/)
  const clipsButton = findClipsButton(page)
  await expect(clipsButton).toHaveAttribute('aria-expanded', 'false')

  await findVisit(page).getByRole('link').focus()
  await page.keyboard.press('Tab')
  await expect(clipsButton).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(clipsButton).toHaveAttribute('aria-expanded', 'true')
  await expect(eventCards(page)).toHaveCount(3 + 3 + 1)
  expect(await findViolations(page, 'an open visit')).toEqual([])

  const moreButton = page.getByRole('button', { name: '21 more clips' })
  for (const row of [2, 3, 4]) {
    await page.keyboard.press('ArrowDown')
    await expect(eventCards(page).nth(row).getByRole('link')).toBeFocused()
  }
  await page.keyboard.press('ArrowDown')
  await expect(moreButton).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(moreButton).toHaveCount(0)
  await expectRowCount(page, 3 + CLIP_COUNT)
  await expect(eventCards(page).nth(5).getByRole('link')).toBeFocused()

  await clipsButton.click()
  await expectRowCount(page, 3)
})

test('a visit is selected, and marked as seen, with all its clips', async ({ page }) => {
  const { street } = await openVisits(page)
  await findVisit(page).getByRole('checkbox').click()
  await expect(page.getByText(`${CLIP_COUNT} selected`)).toBeVisible()
  await expect(findVisit(page).getByRole('checkbox')).toBeChecked()
  await findVisit(page).getByRole('checkbox').click()
  await expect(page.getByText(/\d selected/)).toHaveCount(0)

  await findVisit(page).getByRole('link').focus()
  await page.keyboard.press('x')
  await expect(page.getByText(`${CLIP_COUNT} selected`)).toBeVisible()
  await page.getByRole('button', { name: 'Clear selection' }).click()

  await findVisit(page).getByRole('link').click()
  const firstId = `${street}-${VISIT_START_MS.toString(36)}`
  await expect.poll(() => new URL(page.url()).searchParams.get('event')).toBe(firstId)
  await expect(findVisit(page).locator('.dot')).toHaveCount(0)
  await page.reload()
  await expect(findVisit(page)).toBeVisible()
  await expect(findVisit(page).locator('.dot')).toHaveCount(0)
  await expect(eventCards(page).locator('.dot')).toHaveCount(2)
})

test('a link to a clip of a closed visit opens the visit', { tag: '@all' }, async ({ page }) => {
  const { street } = await openVisits(page)
  const id = `${street}-${(VISIT_START_MS + 10 * CLIP_INTERVAL_MS).toString(36)}`
  await page.goto(`/events?event=${id}`)
  await expect(page.locator(`[data-event="${id}"]`)).toHaveAttribute('aria-current', 'true')
  await expect(findClipsButton(page)).toHaveAttribute('aria-expanded', 'true')
  await expect(findClipsButton(page)).toBeDisabled()
})

test('“All clips” is remembered', async ({ page }) => {
  await openVisits(page)
  await page.getByRole('button', { name: 'All clips' }).click()
  await expectRowCount(page, CLIP_COUNT + 2)
  await page.reload()
  await expectRowCount(page, CLIP_COUNT + 2)
  await expect(page.getByRole('button', { name: 'All clips' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Visits', exact: true }).click()
  await expectRowCount(page, 3)
})

test('a motion zone is suggested for a busy camera, and stays away once dismissed', async ({ page }) => {
  const { street } = await openVisits(page)
  const suggestion = page.getByText(`Street: ${CLIP_COUNT + 1} clips in an hour`)
  await expect(suggestion).toBeVisible()
  await page.getByRole('link', { name: 'Set a zone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Street' })
  await expect(dialog.getByRole('group', { name: 'Motion zones' })).toBeVisible()
  await expect.poll(() => new URL(page.url()).search).toBe(`?camera=${street}`)

  await page.goto('/events')
  await page.getByRole('button', { name: 'Dismiss for 30 days' }).click()
  await expect(suggestion).toHaveCount(0)
  await expect(page.getByText('Busiest hour', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('Busiest hour', { exact: true })).toBeVisible()
  await expect(suggestion).toHaveCount(0)
})
