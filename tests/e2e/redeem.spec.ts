import { findCatalogEntry } from '../../contract/wire/error-codes.ts'
import { findViolations } from '../support/axe.ts'
import { signInAsNewAccount } from '../support/customer.ts'
import { expect, removeExpectedProblems, SIGNED_OUT_STATE, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_OUT_STATE })

const createExpectedCouponFailure = (...status: number[]) => ({ status, path: /\/redeem_v2$/ })

test('COUPON-01 COUPON-04 COUPON-05 a link fills in the code, a check previews its effect, and the chosen option is used once', async ({
  page,
}) => {
  await signInAsNewAccount(page, 'gift')
  await page.goto('/account/redeem/choose?coupon=PORCH-GIFT')
  await expect(page.getByLabel('Coupon code')).toHaveValue('PORCH-GIFT')
  await page.getByRole('button', { name: 'Check' }).click()
  const options = page.getByRole('group', { name: 'Choose one' })
  await expect(options.getByRole('radio')).toHaveCount(2)
  await expect(options.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(options).toContainText('Three free months of Unlimited Cameras')
  await expect(options).toContainText(/Free until \d+ \w+ \d{4}/)
  const useButton = page.getByRole('button', { name: 'Choose one' })
  await expect(useButton).toHaveAttribute('aria-disabled', 'true')
  await useButton.press('Enter')
  await expect(options.getByRole('radio').first()).toBeFocused()
  expect(await findViolations(page, 'coupon checked')).toEqual([])

  await page.getByRole('radio', { name: '$20.00 toward future invoices' }).check()
  await page.getByRole('button', { name: 'Redeem $20.00' }).click()
  await expect(page.getByRole('heading', { name: '$20.00 was added to your balance' })).toBeFocused()
  await expect(page.getByText('Your balance of $20.00 goes toward your next invoice.')).toBeVisible()
  expect(await findViolations(page, 'coupon used')).toEqual([])
  await expect.poll(() => page.evaluate(() => localStorage.getItem('routeParams'))).not.toContain('PORCH-GIFT')
  await expect(page.getByRole('link', { name: 'See your cameras' })).toHaveAttribute('href', '/live')
  await page.goto('/account/redeem/choose')
  await expect(page.getByLabel('Coupon code')).toHaveValue('')
})

test(
  'SUB-12 free months become a service immediately, and the services page shows it',
  { tag: '@all' },
  async ({ page }) => {
    await signInAsNewAccount(page, 'months')
    await page.goto('/account/redeem/choose?coupon=FREE3')
    await page.getByRole('button', { name: 'Check' }).click()
    const useButton = page.getByRole('button', { name: 'Redeem three free months' })
    await expect(useButton).toBeVisible()
    // The coupon has only one option, so the page shows no radio buttons.
    await expect(page.getByRole('radio')).toHaveCount(0)
    await useButton.click()
    await page.getByRole('link', { name: 'Go to Services' }).click()
    const service = page.getByRole('region', { name: 'Services' }).getByRole('listitem')
    await expect(service).toContainText('Unlimited Cameras')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Explore plans' })).toHaveCount(0)
    expect(await findViolations(page, 'services')).toEqual([])
  },
)

test('COUPON-06 coupon errors 4101 to 4107 show their sentence at the field; all but 4101 add toast and reason', async ({
  page,
  problems,
}) => {
  await signInAsNewAccount(page, 'refused')
  await page.goto('/account/redeem/choose?coupon=NOBODY-1')
  const field = page.getByLabel('Coupon code')
  await page.getByRole('button', { name: 'Check' }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('This coupon code is invalid.')
  await expect(page.getByRole('heading', { name: 'Why' })).toHaveCount(0)
  const toast = page.locator('.toast')
  await expect(toast).toHaveCount(0)
  await page.goto('/account/redeem/choose')
  await expect(field).toHaveValue('')

  for (const code of ['4102', '4103', '4104', '4105', '4106', '4107']) {
    const sentence = findCatalogEntry(code)?.text ?? 'no entry'
    await field.fill(`E${code}`)
    await page.keyboard.press('Enter')
    await expect(alert.filter({ hasText: `Code ${code}.` })).toContainText(sentence)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toBeFocused()
    await expect(page.getByRole('heading', { name: 'Why' })).toBeVisible()
    await expect(toast).toContainText(sentence)
    // The page shows the next toast only after this toast is closed.
    await toast.getByRole('button', { name: 'Close' }).click()
    await expect(toast).toHaveCount(0)
  }
  expect(await findViolations(page, 'coupon refused')).toEqual([])
  removeExpectedProblems(problems, createExpectedCouponFailure(409))
})

test(
  'too many coupon guesses show the time of the next possible attempt',
  { tag: '@all' },
  async ({ page, problems }) => {
    await signInAsNewAccount(page, 'guess')
    await page.goto('/account/redeem/choose')
    const check = page.getByRole('button', { name: 'Check' })
    const alert = page.getByRole('main').getByRole('alert')
    for (let at = 0; at < 11; at++) {
      await page.getByLabel('Coupon code').fill(`GUESS-${at}`)
      await check.click()
      await expect(alert).toBeVisible()
    }
    await expect(alert).toContainText('too frequently')
    await expect(alert).toContainText(/\d\d:\d\d\./)
    removeExpectedProblems(problems, createExpectedCouponFailure(409, 429))
  },
)

test(
  'OPEN-157 a price coupon carries over to the plans, and leaving the flow discards it',
  { tag: '@all' },
  async ({ page }) => {
    await signInAsNewAccount(page, 'percent')
    await page.goto('/account/redeem/choose?coupon=WELCOME20')
    await page.getByRole('button', { name: 'Check' }).click()
    await expect(page.getByRole('heading', { name: '20% off a plan' })).toBeVisible()
    await page.getByRole('link', { name: 'Choose a plan' }).click()
    await expect(page).toHaveURL('/account/products/choose')
    const readRouteParams = () => page.evaluate(() => localStorage.getItem('routeParams') ?? '')
    await expect.poll(readRouteParams).toContain('WELCOME20')
    await page.getByRole('link', { name: 'Choose Unlimited', exact: true }).click()
    await expect(page.getByText('20% off the first month.')).toBeVisible()
    await page.goto('/account/redeem/choose')
    await expect(page.getByLabel('Coupon code')).toHaveValue('WELCOME20')
    await page.goto('/account/services')
    await expect.poll(readRouteParams).not.toContain('WELCOME20')
    await page.goto('/account/redeem/choose')
    await expect(page.getByLabel('Coupon code')).toHaveValue('')
  },
)
