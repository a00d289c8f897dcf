import type { Page } from 'playwright/test'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { expectPlaying } from '../support/moving.ts'
import { openSearchPage, searchDialog, searchField, searchFor, searchResults } from '../support/search.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const searchLink = (page: Page) => page.getByRole('link', { name: 'Describe what happened' })
const liveTiles = (page: Page) => page.getByRole('listitem', { name: /, live$/i })
const firstLiveVideo = (page: Page) => liveTiles(page).first().locator('video').first()
/** Returns the ids of all cameras on the page, including cameras that are hidden behind the search dialog. */
const readCameraIds = (page: Page) =>
  page.locator('.live-tile').evaluateAll((tiles: HTMLElement[]) => tiles.map(({ dataset }) => dataset['camera']))

for (const [width, tag] of [
  [390, ['@all']],
  [1440, []],
] as const)
  test(
    `SEARCH-01 SEARCH-16 search opens over the cameras, leads to a clip and back, and leaves the cameras unchanged, at ${width} px`,
    { tag: [...tag] },
    async ({ page }) => {
      test.slow()
      await openSearchPage(page)
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/live')
      await expect(liveTiles(page).first()).toBeVisible()
      // Once the number of live cameras is visible, the script has loaded and the toolbar no longer moves.
      await expect(page.getByText(/^\d+ of \d+ live/)).toBeVisible()
      const before = await readCameraIds(page)
      await searchLink(page).click()
      await expect(page).toHaveURL('/live?search=')
      await expect(searchField(page)).toBeFocused()
      const { events: found } = await searchFor(page, 'person with a box')
      await expect(page).toHaveURL('/live?search=person+with+a+box')
      expect(found.length).toBeGreaterThan(1)
      await expectPlaying(page.locator('.live-tile video').first())

      const link = searchResults(page).nth(1).getByRole('link')
      const id = await link.getAttribute('data-result')
      await link.click()
      await expect(page).toHaveURL(new RegExp(`/events\\?event=${id}&.*t=`))
      await expect(page.locator('video[aria-label^=Clip]')).toBeVisible()
      await page.goBack()
      await expect(page).toHaveURL('/live?search=person+with+a+box')
      await expect(
        searchResults(page)
          .getByRole('link')
          .and(page.locator(`[data-result="${id}"]`)),
      ).toBeFocused()

      await page.keyboard.press('Escape')
      await expect(searchDialog(page)).toHaveCount(0)
      await expect(page).toHaveURL('/live')
      await expect.poll(() => readCameraIds(page)).toEqual(before)
      await expectPlaying(firstLiveVideo(page))
    },
  )

test(
  'the / key opens search beside an open camera, which is shown again after search closes',
  { tag: '@all' },
  async ({ page }) => {
    test.slow()
    await openSearchPage(page)
    await page.goto('/live')
    await expect(liveTiles(page).first()).toBeVisible()
    // Retry the key press: keyboard shortcuts and the search become active a moment after the video.
    const press = (key: string, expectedUrl: string | RegExp) =>
      expect(async () => {
        await page.keyboard.press(key)
        await expect(page).toHaveURL(expectedUrl, { timeout: 500 })
      }).toPass()
    await press('1', /\/live\?camera=\w+$/)
    const url = new URL(page.url())
    await press('/', `${url.href}&search=`)
    await expect(searchField(page)).toBeFocused()
    await searchFor(page, 'a dog')
    // While search is open, the page's shortcuts are off outside the text field too: `2` would open another camera.
    await searchDialog(page).getByRole('heading', { name: 'Search', exact: true }).focus()
    await page.keyboard.press('2')
    await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL(`${url.href}&search=a+dog`)
    await searchDialog(page).getByRole('button', { name: 'All cameras' }).click()
    const choices = page.getByRole('dialog', { name: 'All cameras' })
    await choices.getByRole('checkbox').first().check()
    await expect(page).toHaveURL(/\/live\?camera=\w+&cameras=\w+&search=a\+dog$/)
    // The first Escape closes the menu, the second closes the search; neither closes the camera.
    await page.keyboard.press('Escape')
    await expect(page.locator('.filter-menu:popover-open')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(searchDialog(page)).toHaveCount(0)
    await expect(page).toHaveURL(url.href)
    await expectPlaying(page.locator('.one-frame video').first())
  },
)

test('a click on search before its script has loaded also opens it', { tag: '@all' }, async ({ page }) => {
  await openSearchPage(page)
  let releaseScript = () => {}
  const scriptReleased = new Promise<void>((resolve) => (releaseScript = resolve))
  await page.route('**/_astro/Search.*.js', async (route) => {
    await scriptReleased
    await route.continue()
  })
  await page.goto('/live')
  await searchLink(page).click()
  await expect(page).toHaveURL('/live?search=')
  releaseScript()
  await expect(searchField(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/live')
  await expect(liveTiles(page).first()).toBeVisible()
})

test('the header stays usable above search, and the search URL opens it', { tag: '@all' }, async ({ page }) => {
  await openSearchPage(page, '/live?search=')
  await searchFor(page, 'person')
  await page.reload()
  await expect(searchResults(page).first()).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Account' }).click()
  await expect(page).toHaveURL(/\/account/)
  await page.goBack()
  await expect(page).toHaveURL('/live?search=person')
  await searchDialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL('/live')
  await expect(searchLink(page)).toBeFocused()
})
