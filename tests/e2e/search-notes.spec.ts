import type { Page } from 'playwright/test'
import { findViolations } from '../support/axe.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import {
  openSearchPage,
  waitForSearchResponse,
  searchDialog,
  searchField,
  searchFor,
  searchResults,
} from '../support/search.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const findSearchNotes = (page: Page) =>
  searchDialog(page).getByRole('list', { name: 'About your search' }).getByRole('listitem')
const status = (page: Page) => searchDialog(page).getByRole('status')
const findTimeChip = (page: Page) => searchDialog(page).getByRole('button', { name: /^Remove time: / })
const isWiderThanScreen = (page: Page) =>
  searchDialog(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)

test('SEARCH-02 a typo is reported, and one click searches for the word as written', async ({ page }) => {
  await openSearchPage(page)
  const { total } = await searchFor(page, 'a person on the drivway')
  expect(total).toBeGreaterThan(0)
  const correction = /“drivway”.*“driveway”/
  await expect(findSearchNotes(page)).toContainText(correction)
  await expect(status(page)).toContainText(correction)
  await expect(searchResults(page).first()).toBeVisible()

  const answer = waitForSearchResponse(page)
  await findSearchNotes(page).getByRole('button', { name: 'Search for “drivway” as written' }).click()
  expect(await answer).toMatchObject({ events: [], said: { nowhere: ['drivway'], instead: [] } })
  await expect(page).toHaveURL('/events?search=a+person+on+the+drivway&as=written')
  await expect(searchField(page)).toHaveValue('a person on the drivway')
  await expect(
    searchDialog(page)
      .getByText(/[\d,]+ clips?\.? .*“drivway”/)
      .first(),
  ).toBeVisible()
  await expect(findSearchNotes(page)).toHaveCount(0)
  await page.goBack()
  await expect(findSearchNotes(page)).toContainText(correction)
  await expect(page).toHaveURL('/events?search=a+person+on+the+drivway')
})

test(
  'SEARCH-02 an unmatched term finds nothing and is named beside the near misses',
  { tag: '@all' },
  async ({ page }) => {
    await openSearchPage(page)
    const { events, closest } = await searchFor(page, 'a person with a unicorn')
    expect([events, closest.length > 0]).toEqual([[], true])
    await expect(searchDialog(page).getByRole('heading', { name: /“a person with a unicorn”/ })).toBeVisible()
    await expect(status(page)).toContainText('“unicorn”')
    const near = searchDialog(page).getByRole('region', { name: 'Closest matches without “unicorn”' })
    await expect(near.getByRole('listitem').first().locator('mark').first()).toBeVisible()
  },
)

test(
  'SEARCH-02 the search names excluded terms, unknown words and areas without a camera',
  { tag: '@all' },
  async ({ page }) => {
    await openSearchPage(page)
    const { events } = await searchFor(page, 'a person without a box')
    expect(events.length).toBeGreaterThan(0)
    await expect(findSearchNotes(page)).toContainText('“box”')
    await expect(status(page)).toContainText('“box”')
    await searchFor(page, 'ein Hund mit Schnurrbartwichse')
    await expect(findSearchNotes(page)).toContainText('“schnurrbartwichse”')
    await searchFor(page, 'a person upstairs')
    await expect(
      searchDialog(page)
        .getByText(/“upstairs”/)
        .first(),
    ).toBeVisible()
    await expect(searchDialog(page).getByText(/clips? searched/)).toHaveCount(0)
    await expect(searchDialog(page).getByRole('link', { name: 'Go to Cameras' })).toHaveAttribute('href', '/live')
    await searchFor(page, 'what happened')
    await expect(searchResults(page)).toHaveCount(0)
    await expect(status(page)).not.toContainText('“upstairs”')
  },
)

test(
  'SEARCH-02 a query time is shown, one click removes it, and Back restores it',
  { tag: '@all' },
  async ({ page }) => {
    await openSearchPage(page)
    const { events } = await searchFor(page, 'a person yesterday')
    expect(events.length).toBeGreaterThan(0)
    await expect(findTimeChip(page)).toHaveAccessibleName(/^Remove time: Yesterday · /)
    await expect(searchDialog(page).getByRole('button', { name: 'Dates', exact: true })).toBeVisible()
    const times = searchResults(page).getByText(/\d\d:\d\d:\d\d$/)
    await expect(times.first()).toBeVisible()
    await expect(times.filter({ hasNotText: /^Yesterday / })).toHaveCount(0)

    const requestWithoutTime = page.waitForRequest((request) => request.url().endsWith('/ai-video-search/search'))
    await findTimeChip(page).click()
    expect((await requestWithoutTime).postDataJSON()).toMatchObject({ query: 'a person', as_is: false })
    await expect(page).toHaveURL('/events?search=a+person')
    await expect(searchField(page)).toHaveValue('a person')
    await expect(findTimeChip(page)).toHaveCount(0)
    await expect(searchDialog(page).getByRole('button', { name: '14 days', exact: true })).toBeVisible()
    await page.goBack()
    await expect(findTimeChip(page)).toBeVisible()
    await expect(searchField(page)).toHaveValue('a person yesterday')

    const { events: all, total } = await searchFor(page, 'yesterday')
    expect([all.length > 0, total >= events.length]).toEqual([true, true])
    await findTimeChip(page).click()
    await expect(page).toHaveURL('/events?search=')
    await expect(searchField(page)).toHaveValue('')
  },
)

test('notes and the query time are readable on a phone, and axe finds nothing', { tag: '@all' }, async ({ page }) => {
  test.slow()
  await page.setViewportSize({ width: 390, height: 844 })
  await openSearchPage(page)
  await searchFor(page, 'a person on the drivway yesterday between 6:00 and 20:00')
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(searchResults(page).first()).toBeVisible()
    await expect(findSearchNotes(page).getByRole('button')).toBeInViewport({ ratio: 1 })
    await expect(findTimeChip(page)).toBeInViewport({ ratio: 1 })
    await expect.poll(() => isWiderThanScreen(page)).toBe(false)
    expect(await findViolations(page, `notes at ${width} px`)).toEqual([])
  }
})
