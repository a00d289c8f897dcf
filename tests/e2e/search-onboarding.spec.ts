import type { Page } from 'playwright/test'
import { findings } from '../support/axe.ts'
import { expect, SIGNED_IN, signIn, test } from '../support/e2e.ts'
import { openFaultProxy } from '../support/fault-proxy.ts'
import { searchDialog, searchField } from '../support/search.ts'

const entry = (page: Page) => page.getByRole('button', { name: 'Describe what happened' })
const turnOn = (page: Page) => searchDialog(page).getByRole('button', { name: 'Turn on search' })
const popup = (page: Page) => page.getByRole('button', { name: 'Search your video with a sentence' })
const prompt = (page: Page) => page.getByText('Say who, what, where, when')
const toast = (page: Page) => page.locator('#toasts').getByRole('alert')
const NOT_ENROLLED = 'Looks like there was a problem while enrolling you. Please try again.'
const told = (page: Page, bits: number) =>
  page.waitForResponse(
    async (answer) =>
      answer.url().endsWith('/instruction_state') &&
      answer.request().method() === 'POST' &&
      (((await answer.json()) as { data: { state: number } }).data.state & bits) === bits,
  )

// Nobody else among the specs searches with this account: it comes here as a new one.
test.describe.serial('an account that has never searched', () => {
  // Signed out at first, and a call that is refused: the browser tells of both.
  test.afterEach(
    ({ problems }) => void problems.splice(0, problems.length, ...problems.filter((one) => !/401|500/.test(one))),
  )

  test('SEARCH-08 SEARCH-10 SEARCH-14 is introduced to it; an enrolment that fails says so once, the next turns it on', async ({
    page,
    baseURL,
  }) => {
    const proxy = await openFaultProxy()
    proxy.forwardTo(baseURL ?? '', { 'sec-fetch-site': 'same-origin' })
    proxy.fail('/', { kind: 'answer', status: 500, body: '{"code":500}', type: 'application/json' })
    const origin = proxy.origin.replace('127.0.0.1', 'localhost')
    await page.route('**/onboarding/register', (route) =>
      route.continue({ url: origin + new URL(route.request().url()).pathname }),
    )
    await page.goto('/events')
    await signIn(page, 'shared@example.com')
    const first = told(page, 1)
    await expect(popup(page)).toBeVisible()
    await first
    await entry(page).click()
    await expect(searchField(page)).toHaveCount(0)
    await expect(turnOn(page)).toBeVisible()
    expect(await findings(page, 'introduction', '.search-dialog')).toEqual([])
    await turnOn(page).click()
    await expect(toast(page).getByText(NOT_ENROLLED, { exact: true })).toBeVisible()
    await toast(page).getByRole('button').click()
    await expect(toast(page)).toHaveCount(0)
    proxy.heal()
    const second = told(page, 3)
    await turnOn(page).click()
    await expect(searchField(page)).toBeFocused()
    await expect(prompt(page)).toBeVisible()
    await second
    await proxy.close()
  })

  test('TAG-08 SEARCH-09 STORE-20 has then seen each popup, also on another browser and after a reload', async ({
    page,
  }) => {
    await page.goto('/events')
    await signIn(page, 'shared@example.com')
    await expect(entry(page)).toBeVisible()
    const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('eventTags') ?? '{}') as object)
    // By then it has been asked what the account has seen.
    await expect.poll(kept).toMatchObject({ videoSearchPopup: true })
    await expect(popup(page)).toHaveCount(0)
    await entry(page).click()
    await expect.poll(kept).toMatchObject({ videoSearchPromptPopup: true })
    await expect(prompt(page)).toHaveCount(0)
    await page.reload()
    await expect(searchField(page)).toBeFocused()
    await expect(prompt(page)).toHaveCount(0)
    expect(await kept()).toMatchObject({ videoSearchPopup: true, videoSearchPromptPopup: true })
    await searchDialog(page).getByRole('button', { name: 'Close the search' }).click()
    await expect(entry(page)).toBeVisible()
    await expect(popup(page)).toHaveCount(0)
  })
})

test.describe('an account without a plan for it', () => {
  test.use({ storageState: SIGNED_IN.free })

  test('reads which plans include the search and gets to them, also where its press comes before the script', async ({
    page,
  }) => {
    const pressed = Promise.withResolvers<undefined>()
    await page.route('**/_astro/Events.*.js', async (route) => {
      await pressed.promise
      await route.continue()
    })
    await page.goto('/events', { waitUntil: 'commit' })
    await entry(page).click()
    pressed.resolve(undefined)
    await expect(searchDialog(page).getByRole('listitem')).toHaveText([
      'Camera AI',
      'Unlimited Cameras',
      'Unlimited Pro',
    ])
    expect(await findings(page, 'search without a plan', '.search-dialog')).toEqual([])
    await searchDialog(page).getByRole('link', { name: 'Explore plans' }).click()
    await expect(page).toHaveURL('/account/products/choose')
  })
})
