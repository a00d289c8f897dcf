import type { Page } from 'playwright/test'
import { moreLikeThis } from '../../src/domain/copy/event-groups.ts'
import { foldMatches } from '../../src/domain/search/result-groups.ts'
import { foundLabel, moreLabel, totalLabel } from '../../src/domain/copy/search-results.ts'
import { findings } from '../support/axe.ts'
import { expect, forgive, NOBODY, SIGNED_IN, test, throughProxy } from '../support/e2e.ts'
import {
  goToSearch,
  nextAnswer,
  searchDialog,
  searchField,
  searchFor,
  searchResults,
  signInToSearch,
  turnOnSearch,
} from '../support/search.ts'

test.use({ storageState: SIGNED_IN.owner })

const button = (page: Page, name: string) => searchDialog(page).getByRole('button', { name, exact: true })
const shownIds = (page: Page) =>
  searchResults(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('data-result')))
const history = (page: Page) => searchDialog(page).getByRole('region', { name: 'Your searches' })

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
  const folds = foldMatches(found)
  const heads = folds.map(({ match }) => match.event.event_id)
  await expect.poll(() => shownIds(page)).toEqual(heads.slice(0, 6))
  await expect(searchDialog(page).getByRole('status')).toHaveText(foundLabel(found.length, found.length, total))
  await expect(searchResults(page).first().locator('mark').first()).toBeVisible()
  const folded = folds.findIndex(({ others }) => others.length > 0)
  const others = folds[folded]?.others ?? []
  expect(others.length).toBeGreaterThan(1)
  const opener = searchResults(page)
    .nth(folded)
    .getByRole('button', { name: moreLikeThis(others.length) })
  await opener.click()
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  const inside = others.map(({ event }) => event.event_id)
  await expect.poll(async () => (await shownIds(page)).slice(folded + 1, folded + 1 + others.length)).toEqual(inside)

  let questions = 0
  page.on('request', (request) => (questions += request.url().endsWith('/ai-video-search/search') ? 1 : 0))
  const last = folded + others.length
  const chosen = others.at(-1)
  const result = searchResults(page).nth(last).getByRole('link')
  await result.scrollIntoViewIfNeeded()
  const top = () => searchDialog(page).evaluate((element) => element.scrollTop)
  const clicked = searchDialog(page).evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        element.addEventListener('click', () => resolve(element.scrollTop), { capture: true, once: true })
      }),
  )
  await result.click()
  const before = await clicked
  expect(before).toBeGreaterThan(0)
  await expect(page).toHaveURL(new RegExp(`event=${chosen?.event.event_id}.*&t=${Math.floor(chosen?.at_s ?? 0)}`))
  await expect(searchDialog(page)).toHaveCount(0)
  const at = () => page.locator('video[aria-label^=Recording]').evaluate((video: HTMLVideoElement) => video.currentTime)
  await expect.poll(at).toBeGreaterThanOrEqual(Math.floor(chosen?.at_s ?? 0))
  await page.goBack()
  await expect(searchResults(page).nth(last).getByRole('link')).toBeFocused()
  await expect.poll(top).toBe(before)
  expect(questions).toBe(0)
  await page.keyboard.press('Escape')
  await expect(searchDialog(page)).toHaveCount(0)
  await expect(page).toHaveURL('/events')
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
})

test.describe('a separate account', () => {
  test.use({ storageState: NOBODY })

  test('SEARCH-04 SEARCH-05 SEARCH-06 past searches are listed, and deleted one by one, several together, or all', async ({
    page,
  }) => {
    await signInToSearch(page, 'history')
    await goToSearch(page)
    for (const query of ['first', 'second', 'third', 'fourth']) await searchFor(page, query)
    const entries = history(page).getByRole('listitem')
    await expect(entries.first()).toContainText('fourth')
    await page.goto('/events?search=')
    await expect(entries.first()).toContainText('fourth')
    // The list drops a deleted entry before the provider responds. The test waits for the response before it continues.
    const waitForHistory = () => page.waitForResponse((answer) => answer.url().includes('/search_history/'))
    const singleDelete = waitForHistory()
    await history(page).getByRole('button', { name: 'Delete “fourth”' }).click()
    await expect(entries.first()).toContainText('third')
    await history(page).getByRole('button', { name: 'Select' }).click()
    for (const query of ['third', 'second']) await history(page).getByRole('checkbox', { name: query }).check()
    await singleDelete
    const two = waitForHistory()
    await history(page).getByRole('button', { name: 'Delete 2' }).click()
    await expect(entries.first()).toContainText('first')
    await two
    await expect(entries.first()).toContainText('first')
    await history(page).getByRole('button', { name: 'Clear all' }).click()
    const all = waitForHistory()
    await history(page).getByRole('button', { name: 'Delete all' }).click()
    await expect(entries).toHaveCount(0)
    await all
    await page.reload()
    await expect(history(page)).toBeVisible()
    await expect(entries).toHaveCount(0)
  })
})

test('SEARCH-07 FACE-03 a search suggestion finds something, and a typed name finds its person', async ({ page }) => {
  await goToSearch(page)
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
  await goToSearch(page)
  await searchFor(page, 'a dog')
  await button(page, 'Not quite').click()
  const category = searchDialog(page).getByRole('radio').first()
  await category.check()
  await searchDialog(page).getByLabel('Tell us more, if you like').fill('The first one is a cat.')
  const sent = page.waitForRequest((request) => request.url().endsWith('/ai-video-search/feedback'))
  await button(page, 'Send').click()
  expect((await sent).postDataJSON()).toMatchObject({
    ...{ is_search_result_accurate: false, query: 'a dog', feedback_message: 'The first one is a cat.' },
    feedback_category_id: expect.stringMatching(/./),
  })
  const undone = page.waitForResponse((answer) => answer.url().includes('/search-feedback-undo'))
  await button(page, 'Undo').click()
  expect((await undone).status()).toBe(200)
  await expect(button(page, 'Yes')).toBeVisible()
})

test('STORE-19 a reload restores the text, the order and all results, and axe finds no violations', async ({
  page,
}) => {
  test.slow()
  await goToSearch(page)
  const { events: found, total } = await searchFor(page, 'person')
  expect([found.length, total > 50]).toEqual([50, true])
  const label = `Best 50 of ${totalLabel(total)} clips`
  await expect(searchDialog(page).getByRole('heading', { name: label })).toBeVisible()
  await button(page, 'Newest').click()
  await button(page, moreLabel(found.length, found.length, total)).click()
  await expect(page).toHaveURL('/events?search=person&sort=newest')
  const entries = () => page.evaluate(() => window.history.length)
  const before = await entries()
  // Compare with the reload's own response: another test may have deleted a clip since the first query.
  const again = nextAnswer(page)
  await page.reload()
  const { events: matches } = await again
  const newest = foldMatches(matches.toSorted((a, b) => b.event.event_ts - a.event.event_ts))
  expect(newest.length).toBeGreaterThan(6)
  await expect(searchResults(page)).toHaveCount(newest.length)
  // Settled: the results are there, and nothing writes an entry after them.
  expect(await entries()).toBe(before)
  await expect(history(page).getByRole('button', { name: 'Delete “person”', exact: true })).toHaveCount(1)
  await expect.poll(() => shownIds(page)).toEqual(newest.map(({ match }) => match.event.event_id))
  await page.goto('/events?search=')
  await expect(searchField(page)).toHaveValue('person')
  await searchFor(page, 'box')
  await expect(button(page, 'Newest')).toHaveAttribute('aria-pressed', 'true')
  expect(await findings(page, 'results')).toEqual([])
})

test('axe finds no violations when a search has no results', { tag: '@all' }, async ({ page }) => {
  await goToSearch(page)
  await searchFor(page, 'zeppelin')
  await expect(searchDialog(page).getByRole('heading', { name: /“zeppelin”/ })).toBeVisible()
  expect(await findings(page, 'nothing found')).toEqual([])
})

test(
  'a failed search shows an error and works again after a click on its retry button',
  { tag: '@all' },
  async ({ page, faults, problems }) => {
    await throughProxy(page, faults, '**/ai-video-search/search')
    await goToSearch(page)
    faults.fail('/api/p/', { kind: 'answer', status: 503, body: '{"code":503}', type: 'application/json' })
    await searchField(page).fill('white van')
    await page.keyboard.press('Enter')
    await expect(searchDialog(page).getByRole('alert')).toBeVisible()
    faults.heal()
    const offline = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/ai-video-search/search'))
    await page.context().setOffline(true)
    await button(page, 'Try again').click()
    await offline
    await expect(searchDialog(page).getByRole('alert')).toBeVisible()
    await page.context().setOffline(false)
    await button(page, 'Try again').click()
    await expect(searchDialog(page).getByText(/clips? searched|All .* searched/)).toBeVisible()
    // The browser reports each failed request.
    forgive(problems, { status: 503, path: /\/ai-video-search\/search$/ }, { network: /ERR_INTERNET_DISCONNECTED/ })
  },
)
