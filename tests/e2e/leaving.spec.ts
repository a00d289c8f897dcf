import type { Page } from 'playwright/test'
import { findings } from '../support/axe.ts'
import { expect, forgive, signIn, tabTo, test } from '../support/e2e.ts'
import { addCard, openAsNew, typeCard } from '../support/new-account.ts'

test.use({ storageState: { cookies: [], origins: [] } })
/** The first visit is signed out, and an extension beyond the maximum is a failed request. */
test.afterEach(({ problems }) => forgive(problems, /40[01239]/))

const card = (page: Page) => page.getByRole('region', { name: 'Services' }).getByRole('listitem').first()
const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const step = (page: Page) => dialog(page).getByRole('list', { name: 'Steps' }).locator('[aria-current]')
const cancelPlan = (page: Page) => button(page, /^Cancel plan: /)

/** A new account that pays for a plan by the month, on the page of its services. */
async function withPlan(page: Page, name: string, segment = 'unlimited'): Promise<void> {
  await openAsNew(page, name, '/account/payment')
  await addCard(page)
  await page.goto(`/account/products/${segment}`)
  await page.getByRole('radio', { name: 'Monthly' }).check()
  await buy(page, /^Pay \$/)
  await expect(card(page)).toContainText('Active')
}

async function buy(page: Page, name: RegExp): Promise<void> {
  const pay = page.getByRole('region', { name: 'Today’s price' }).getByRole('button', { name })
  await expect(pay).not.toHaveAttribute('aria-disabled')
  await pay.click()
  await expect(page).toHaveURL('/account/products/bought')
  await page.goto('/account/services')
}

test('CANCEL-01 CANCEL-04 a plan is left in four presses, and each step says what it has to', async ({ page }) => {
  await withPlan(page, 'leaves')
  const sent: unknown[] = []
  page.on('request', (one) => one.url().includes('/api/v2/cancel/') && sent.push([one.url(), one.postDataJSON()]))
  await cancelPlan(page).click()
  await expect(step(page)).toHaveText(/Reason/)
  await expect(dialog(page).getByRole('radio', { checked: true })).toHaveCount(0)
  expect(await findings(page, 'the reason', '.leave')).toEqual([])
  await button(page, 'Go on without a reason').click()
  await expect(dialog(page).getByRole('heading', { name: 'If you cancel Unlimited Cameras' })).toBeFocused()
  await expect(dialog(page)).toContainText('It ends at once, and all that you paid comes back.')
  await expect(dialog(page)).toContainText('$10.81 comes back to Visa ·· 4242')
  await expect(dialog(page).getByRole('link', { name: /Take everything first/ })).toHaveAttribute(
    'href',
    '/account?take=1',
  )
  expect(await findings(page, 'what happens')).toEqual([])
  await button(page, 'Go on to cancel').click()
  await expect(dialog(page).getByRole('heading', { name: 'End Unlimited Cameras now?' })).toBeFocused()
  expect(await findings(page, 'the last word', '.leave')).toEqual([])
  await dialog(page).getByRole('button', { name: 'Cancel plan' }).click()
  await expect(dialog(page).getByRole('heading', { name: 'Unlimited Cameras is cancelled' })).toBeFocused()
  await expect(dialog(page)).toContainText('$10.81 comes back')
  expect(await findings(page, 'done', '.leave')).toEqual([])
  expect(sent).toEqual([
    [expect.stringMatching(/\/api\/v2\/cancel\/\w+$/), expect.objectContaining({ way: 'now', reason: null })],
  ])
  await button(page, 'Back to your services').click()
  await expect(page.getByRole('list', { name: 'Ended' })).toContainText('Unlimited Cameras')
  await expect(page.getByRole('link', { name: 'Its bills: Unlimited Cameras' })).toHaveAttribute(
    'href',
    /^\/account\/billing\?subscription=/,
  )
})

test('SUB-13 SUB-12 by the keyboard alone a plan is cancelled for its end, and taken back', async ({ page }) => {
  await withPlan(page, 'undoes')
  const press = async (name: string | RegExp, within = dialog(page)) => {
    await tabTo(page, within.getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }
  await press(/^Cancel plan: /, card(page))
  await tabTo(page, dialog(page).getByRole('radio').first())
  await page.keyboard.press('Space')
  await press('Go on')
  await press('Go on to cancel')
  await tabTo(page, dialog(page).getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowDown')
  await expect(dialog(page).getByRole('radio', { name: /^Let it run until/ })).toBeChecked()
  await press('Cancel plan')
  await expect(step(page)).toHaveText(/Done/)
  await press('Back to your services')
  await expect(dialog(page)).toHaveCount(0)
  await expect(card(page)).toBeFocused()
  await expect(card(page)).toContainText(/Ends \d+ \w+/)
  await expect(card(page)).toContainText('Undo costs nothing')
  await expect(cancelPlan(page)).toHaveCount(0)
  await press(/^Undo: keep/, card(page))
  await expect(card(page)).toContainText('Active')
  await expect(cancelPlan(page)).toBeVisible()
})

test('CANCEL-02 a reload knows the step, and Escape keeps the plan and begins anew', async ({ page }) => {
  await withPlan(page, 'reloads')
  await cancelPlan(page).click()
  await button(page, 'Go on without a reason').click()
  await expect(button(page, 'Go on to cancel')).toBeVisible()
  await page.reload()
  await expect(step(page)).toHaveText(/What happens/)
  expect(await page.evaluate(() => localStorage.getItem('cancelStep'))).toBe('2')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(card(page)).toContainText('Active')
  await page.reload()
  await expect(cancelPlan(page)).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await cancelPlan(page).click()
  await expect(step(page)).toHaveText(/Reason/)
  await button(page, 'Keep my plan').click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(cancelPlan(page)).toBeFocused()
})

test('OPEN-87 between staying and leaving a plan is paused, and goes on when somebody says so', async ({ page }) => {
  await withPlan(page, 'pauses')
  await cancelPlan(page).click()
  await button(page, 'Go on without a reason').click()
  await dialog(page)
    .getByRole('button', { name: /^Pause/ })
    .click()
  await expect(button(page, 'Choose how long')).toHaveAttribute('aria-disabled', 'true')
  await dialog(page).getByRole('radio', { name: '2 months' }).check()
  expect(await findings(page, 'a pause', '.leave')).toEqual([])
  await button(page, 'Pause for 2 months').click()
  await expect(card(page)).toContainText(/Paused until \d+ \w+/)
  await expect(card(page)).toContainText('Nothing is charged until then')
  expect(await findings(page, 'a paused plan')).toEqual([])
  await button(page, 'Resume Unlimited Cameras').click()
  await expect(card(page)).toContainText('Active')
})

test('OPEN-83 what could not be charged is paid with one press, once there is something that pays', async ({
  page,
}) => {
  await page.goto('/account/services')
  await signIn(page, 'failed@example.com')
  await expect(card(page)).toContainText('Not paid')
  await expect(card(page)).toContainText('Your card has insufficient funds.')
  await expect(card(page)).toContainText('Visa ·· 4221 was asked twice')
  await expect(card(page).getByRole('list', { name: 'What happens when' })).toContainText('Clips deleted')
  expect(await findings(page, 'a plan that is not paid')).toEqual([])
  await button(page, 'Try Visa ·· 4221 again').click()
  await expect(card(page).getByRole('alert')).toContainText('Your card has insufficient funds.')
  await button(page, 'Add a method').click()
  await typeCard(page)
  await expect(page).toHaveURL('/account/services')
  await button(page, /^Pay \$10\.81 with Visa ·· 4242$/).click()
  await expect(card(page)).toContainText('Active')
  await expect(page.getByRole('list', { name: 'What happens when' })).toHaveCount(0)
})

test('OPEN-91 OPEN-107 free days are made longer until they cannot be', async ({ page }) => {
  await openAsNew(page, 'longer', '/account/products/camera-ai')
  await page.getByRole('radio', { name: 'Try it for 14 days' }).check()
  await buy(page, /free/)
  await expect(card(page)).toContainText('Trial, 14 days left')
  await expect(cancelPlan(page)).toHaveCount(0)
  await button(page, 'Add 7 free days').click()
  await expect(card(page)).toContainText('Trial, 21 days left')
  await button(page, 'Add 7 free days').click()
  await expect(card(page)).toContainText('which is as much as they can be')
})

test('a shared account is offered nothing that is its owner’s to do', async ({ page }) => {
  await page.goto('/account/services')
  await signIn(page, 'shared@example.com')
  await expect(page.getByRole('heading', { name: 'Shared with you' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Explore plans' })).toHaveCount(0)
  await expect(cancelPlan(page)).toHaveCount(0)
})
