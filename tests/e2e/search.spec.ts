import type { Page } from 'playwright/test'
import { formatMoreLikeThis } from '../../src/domain/copy/event-groups.ts'
import { groupMatches } from '../../src/domain/search/result-groups.ts'
import { foundCountLabel, formatMatchCount, showAllLabel } from '../../src/domain/copy/search-results.ts'
import { findViolations } from '../support/axe.ts'
import {
  expect,
  removeExpectedProblems,
  SIGNED_OUT_STATE,
  SIGNED_IN_STATES,
  test,
  routeThroughProxy,
} from '../support/e2e.ts'
import {
  collectSearchMatches,
  openSearchPage,
  waitForSearchResponse,
  searchDialog,
  searchField,
  searchFor,
  searchResults,
  signInToSearch,
  turnOnSearch,
} from '../support/search.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const findSearchButton = (page: Page, name: string) => searchDialog(page).getByRole('button', { name, exact: true })
const readShownIds = (page: Page) =>
  searchResults(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('data-result')))
const searchHistory = (page: Page) => searchDialog(page).getByRole('region', { name: 'Your searches' })

test('SEARCH-01 SEARCH-03 SEARCH-16 a sentence finds clips, each opens at its matching second, and Back returns to the results', async ({
  page,
}) => {
  await page.goto('/events')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await page.getByRole('button', { name: 'Describe what happened' }).click()
  await expect(page).toHaveURL('/events?search=')
  await turnOnSearch(page)
  const { events: found, total } = await searchFor(page, 'person with a box')
  await expect(page).toHaveURL('/events?search=person+with+a+box')
  expect(found.length).toBeGreaterThan(12)
  const groups = groupMatches(found)
  const heads = groups.map(({ match }) => match.event.event_id)
  // Groups are collapsed at first, even if there are few of them.
  await expect.poll(() => readShownIds(page)).toEqual(heads)
  await expect(searchDialog(page).getByRole('status')).toHaveText(foundCountLabel(found.length, found.length, total))
  await expect(searchResults(page).first().locator('mark').first()).toBeVisible()
  // The thumbnail of a courier shows the matching moment, so a box marks the courier.
  const boxedIndex = groups.findIndex(({ match }) => match.subject !== undefined)
  expect(boxedIndex).toBeGreaterThanOrEqual(0)
  const boxed = searchResults(page).nth(boxedIndex)
  await boxed.scrollIntoViewIfNeeded()
  await expect(boxed.locator('.search-subject')).toBeVisible()
  const groupIndex = groups.findIndex(({ others }) => others.length > 0)
  const others = groups[groupIndex]?.others ?? []
  expect(others.length).toBeGreaterThan(1)
  const groupToggle = searchResults(page)
    .nth(groupIndex)
    .getByRole('button', { name: formatMoreLikeThis(others.length) })
  await expect(groupToggle).toHaveAttribute('aria-expanded', 'false')
  await groupToggle.click()
  await expect(groupToggle).toHaveAttribute('aria-expanded', 'true')
  const inside = others.map(({ event }) => event.event_id)
  await expect
    .poll(async () => (await readShownIds(page)).slice(groupIndex + 1, groupIndex + 1 + others.length))
    .toEqual(inside)

  let queryCount = 0
  page.on('request', (request) => (queryCount += request.url().endsWith('/ai-video-search/search') ? 1 : 0))
  const last = groupIndex + others.length
  const chosen = others.at(-1)
  const result = searchResults(page).nth(last).getByRole('link')
  await result.scrollIntoViewIfNeeded()
  const readScrollTop = () => searchDialog(page).evaluate((element) => element.scrollTop)
  const scrollTopAtClick = searchDialog(page).evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        element.addEventListener('click', () => resolve(element.scrollTop), { capture: true, once: true })
      }),
  )
  await result.click()
  const before = await scrollTopAtClick
  expect(before).toBeGreaterThan(0)
  await expect(page).toHaveURL(new RegExp(`event=${chosen?.event.event_id}.*&t=${Math.floor(chosen?.at_s ?? 0)}`))
  await expect(searchDialog(page)).toHaveCount(0)
  const readPlaybackTime = () =>
    page.locator('video[aria-label^=Clip]').evaluate((video: HTMLVideoElement) => video.currentTime)
  await expect.poll(readPlaybackTime).toBeGreaterThanOrEqual(Math.floor(chosen?.at_s ?? 0))
  await page.goBack()
  await expect(searchResults(page).nth(last).getByRole('link')).toBeFocused()
  await expect.poll(readScrollTop).toBe(before)
  expect(queryCount).toBe(0)
  await page.keyboard.press('Escape')
  await expect(searchDialog(page)).toHaveCount(0)
  await expect(page).toHaveURL('/events')
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
})

test.describe('a separate account', () => {
  test.use({ storageState: SIGNED_OUT_STATE })

  test('SEARCH-04 SEARCH-05 SEARCH-06 past searches are listed, and deleted one by one, several together, or all', async ({
    page,
  }) => {
    await signInToSearch(page, 'history')
    await openSearchPage(page)
    for (const query of ['first', 'second', 'third', 'fourth']) await searchFor(page, query)
    const entries = searchHistory(page).getByRole('listitem')
    await expect(entries.first()).toContainText('fourth')
    await page.goto('/events?search=')
    await expect(entries.first()).toContainText('fourth')
    // The list removes a deleted entry before the provider responds, so the test waits for each response before
    // the next deletion.
    const waitForHistory = () => page.waitForResponse((answer) => answer.url().includes('/search_history/'))
    const singleDelete = waitForHistory()
    await searchHistory(page).getByRole('button', { name: 'Delete “fourth”' }).click()
    await expect(entries.first()).toContainText('third')
    await searchHistory(page).getByRole('button', { name: 'Select' }).click()
    for (const query of ['third', 'second']) await searchHistory(page).getByRole('checkbox', { name: query }).check()
    await singleDelete
    const two = waitForHistory()
    await searchHistory(page).getByRole('button', { name: 'Delete 2' }).click()
    await expect(entries.first()).toContainText('first')
    await two
    await expect(entries.first()).toContainText('first')
    await searchHistory(page).getByRole('button', { name: 'Delete all' }).click()
    const all = waitForHistory()
    await searchHistory(page).getByRole('button', { name: 'Delete all' }).click()
    await expect(entries).toHaveCount(0)
    await all
    await page.reload()
    await expect(searchHistory(page)).toBeVisible()
    await expect(entries).toHaveCount(0)
  })
})

test('SEARCH-07 FACE-03 a search suggestion finds something, and a typed name finds its person', async ({ page }) => {
  await openSearchPage(page)
  const tries = searchDialog(page).getByRole('group', { name: 'Try' }).getByRole('button')
  const query = (await tries.first().textContent()) ?? ''
  await tries.first().click()
  await expect(searchField(page)).toHaveValue(query)
  await expect(searchResults(page).first()).toBeVisible()
  await searchField(page).fill('may')
  await searchDialog(page).getByRole('option', { name: 'Maya', exact: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/search=Maya/i)
  await expect(searchResults(page).first().locator('mark')).toHaveText(/maya/i)
})

test('SEARCH-11 feedback that the results are wrong is sent with a category and can be undone', async ({ page }) => {
  await openSearchPage(page)
  await searchFor(page, 'a dog')
  await findSearchButton(page, 'Not quite').click()
  const category = searchDialog(page).getByRole('radio').first()
  await category.check()
  await searchDialog(page).getByLabel('Tell us more (optional)').fill('The first one is a cat.')
  const sent = page.waitForRequest((request) => request.url().endsWith('/ai-video-search/feedback'))
  await findSearchButton(page, 'Send').click()
  expect((await sent).postDataJSON()).toMatchObject({
    is_search_result_accurate: false,
    query: 'a dog',
    feedback_message: 'The first one is a cat.',
    feedback_category_id: expect.stringMatching(/./),
  })
  const undone = page.waitForResponse((answer) => answer.url().includes('/search-feedback-undo'))
  await findSearchButton(page, 'Undo').click()
  expect((await undone).status()).toBe(200)
  await expect(findSearchButton(page, 'Yes')).toBeVisible()
})

test('STORE-19 a reload restores the text, the order and all results, and axe finds no violations', async ({
  page,
}) => {
  test.slow()
  await openSearchPage(page)
  const { events: found, total } = await searchFor(page, 'person')
  expect([found.length, total > 50]).toEqual([50, true])
  const label = `${formatMatchCount(total)}, best 50 shown`
  await expect(searchDialog(page).getByRole('heading', { name: label })).toBeVisible()
  await findSearchButton(page, 'Newest').click()
  const nextPage = waitForSearchResponse(page)
  await findSearchButton(page, showAllLabel(total)).click()
  const { events: next } = await nextPage
  expect(next.length).toBeGreaterThan(0)
  const foundIds = new Set(found.map(({ event }) => event.event_id))
  expect(next.filter(({ event }) => foundIds.has(event.event_id))).toEqual([])
  await expect(searchDialog(page).getByRole('heading', { name: label })).toHaveCount(0)
  await expect(page).toHaveURL('/events?search=person&sort=newest')
  const entries = () => page.evaluate(() => window.history.length)
  const before = await entries()
  // Compare with the reload's own responses: another test may have deleted a clip since the first query.
  const matches = collectSearchMatches(page)
  await page.reload()
  await expect(searchResults(page).first()).toBeVisible()
  await expect.poll(() => matches.length).toBeGreaterThanOrEqual(50)
  // The end of the list comes into view, so more results load without a press: one page, or two if the end stays there.
  // Does not wait for a stable element, because more results may replace it.
  await searchResults(page)
    .last()
    .evaluate((result) => result.scrollIntoView())
  await expect.poll(() => matches.length).toBeGreaterThan(50)
  // Settled: the results have loaded, and nothing adds a history entry after them.
  expect(await entries()).toBe(before)
  await expect(searchHistory(page).getByRole('button', { name: 'Delete “person”', exact: true })).toHaveCount(1)
  const newestHeads = () =>
    groupMatches(matches.toSorted((a, b) => b.event.event_ts - a.event.event_ts))
      .slice(0, 3)
      .map(({ match }) => match.event.event_id)
  const isNewestFirst = async () => `${(await readShownIds(page)).slice(0, 3)}` === `${newestHeads()}`
  await expect.poll(isNewestFirst).toBe(true)
  await page.goto('/events?search=')
  await expect(searchField(page)).toHaveValue('person')
  await searchFor(page, 'box')
  await expect(findSearchButton(page, 'Newest')).toHaveAttribute('aria-pressed', 'true')
  expect(await findViolations(page, 'results')).toEqual([])
})

test('axe finds no violations when a search has no results', { tag: '@all' }, async ({ page }) => {
  await openSearchPage(page)
  await searchFor(page, 'zeppelin')
  await expect(searchDialog(page).getByRole('heading', { name: /“zeppelin”/ })).toBeVisible()
  expect(await findViolations(page, 'nothing found')).toEqual([])
})

test(
  'a failed search shows an error and works again after a click on its retry button',
  { tag: '@all' },
  async ({ page, faults, problems }) => {
    await routeThroughProxy(page, faults, '**/ai-video-search/search')
    await openSearchPage(page)
    faults.fail('/api/p/', { kind: 'answer', status: 503, body: '{"code":503}', type: 'application/json' })
    await searchField(page).fill('white van')
    await page.keyboard.press('Enter')
    await expect(searchDialog(page).getByRole('alert')).toBeVisible()
    faults.clearFaults()
    const offline = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/ai-video-search/search'))
    await page.context().setOffline(true)
    await findSearchButton(page, 'Try again').click()
    await offline
    await expect(searchDialog(page).getByRole('alert')).toBeVisible()
    await page.context().setOffline(false)
    await findSearchButton(page, 'Try again').click()
    await expect(searchDialog(page).getByText(/clips? searched|All .* searched/)).toBeVisible()
    removeExpectedProblems(
      problems,
      { status: 503, path: /\/ai-video-search\/search$/ },
      { network: /ERR_INTERNET_DISCONNECTED/ },
    )
  },
)
