import { findings } from '../support/axe.ts'
import { expect, forgive, test } from '../support/e2e.ts'
import { openAsNew } from '../support/new-account.ts'
import { catalogueEntry } from '../../contract/error-codes.ts'

test.use({ storageState: { cookies: [], origins: [] } })
/** The first visit is signed out, and a coupon that is refused is a failed request. */
test.afterEach(({ problems }) => forgive(problems, /40[0139]/))

test('COUPON-01 COUPON-04 a link brings the code, a check says what it does and for whom, before anything is used', async ({
  page,
}) => {
  await openAsNew(page, 'gift', '/account/redeem/choose?coupon=PORCH-GIFT')
  await expect(page.getByLabel('Coupon code')).toHaveValue('PORCH-GIFT')
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByText(/^You can use it, once.* Choose one of two\.$/)).toBeVisible()
  const options = page.getByRole('group', { name: 'What would you like?' })
  await expect(options.getByRole('radio')).toHaveCount(2)
  await expect(options.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(options).toContainText('Three free months of Unlimited Cameras')
  await expect(options).toContainText(/Free until \d+ \w+ \d{4}/)
  const use = page.getByRole('button', { name: 'Choose one of the two' })
  await expect(use).toHaveAttribute('aria-disabled', 'true')
  await use.press('Enter')
  await expect(options.getByRole('radio').first()).toBeFocused()
  expect(await findings(page, 'coupon checked')).toEqual([])
})

test('COUPON-05 the chosen option is used, what is different is said, and the code is forgotten', async ({ page }) => {
  await openAsNew(page, 'credit', '/account/redeem/choose?coupon=PORCH-GIFT')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('radio', { name: '$20.00 for your next bills' }).check()
  await page.getByRole('button', { name: 'Use it: $20.00 for my bills' }).click()
  await expect(page.getByRole('heading', { name: '$20.00 is yours' })).toBeFocused()
  await expect(page.getByText('Your balance is $20.00.')).toBeVisible()
  expect(await findings(page, 'coupon used')).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('routeParams'))).not.toContain('PORCH-GIFT')
  await page.getByRole('link', { name: 'See your cameras' }).click()
  await expect(page).toHaveURL('/live')
  await page.goto('/account/redeem/choose')
  await expect(page.getByLabel('Coupon code')).toHaveValue('')
})

test('SUB-12 free months are a service at once, which the services show', async ({ page }) => {
  await openAsNew(page, 'months', '/account/services')
  await expect(page.getByRole('main').getByRole('link', { name: 'Explore plans' })).toBeVisible()
  await page.goto('/account/redeem/choose?coupon=FREE3')
  await page.getByRole('button', { name: 'Check' }).click()
  // One option needs no choice.
  await expect(page.getByRole('radio')).toHaveCount(0)
  await page.getByRole('button', { name: 'Use it: three free months' }).click()
  await page.getByRole('link', { name: 'Your services' }).click()
  const service = page.getByRole('region', { name: 'Services' }).getByRole('listitem')
  await expect(service).toContainText('Unlimited Cameras')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Explore plans' })).toHaveCount(0)
  expect(await findings(page, 'services')).toEqual([])
})

for (const code of ['4102', '4103', '4104', '4105', '4106', '4107'])
  test(`COUPON-06 a coupon that is refused with ${code} says its sentence as a toast and at the field, and why`, async ({
    page,
  }) => {
    const sentence = catalogueEntry(code)?.text ?? ''
    await openAsNew(page, `refused${code}`, '/account/redeem/choose')
    await page.getByLabel('Coupon code').fill(`E${code}`)
    await page.keyboard.press('Enter')
    const field = page.getByLabel('Coupon code')
    await expect(page.getByRole('alert').filter({ hasText: `Code ${code}. The coupon was not used.` })).toContainText(
      sentence,
    )
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toBeFocused()
    await expect(page.locator('.toast')).toContainText(sentence)
    await expect(page.getByRole('heading', { name: 'Why' })).toBeVisible()
    expect(code === '4102' ? await findings(page, 'coupon refused') : []).toEqual([])
  })

test('COUPON-06 4101 a code that nobody has is said at the field alone, and forgotten', async ({ page }) => {
  await openAsNew(page, 'wrong', '/account/redeem/choose?coupon=NOBODY-1')
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This coupon code is invalid.')
  await expect(page.getByRole('heading', { name: 'Why' })).toHaveCount(0)
  await page.goto('/account/redeem/choose')
  await expect(page.getByLabel('Coupon code')).toHaveValue('')
})

test('too many guesses are told when the next one is possible', async ({ page, problems }) => {
  await openAsNew(page, 'guess', '/account/redeem/choose')
  const check = page.getByRole('button', { name: 'Check' })
  const alert = page.getByRole('main').getByRole('alert')
  for (let at = 0; at < 11; at++) {
    await page.getByLabel('Coupon code').fill(`GUESS-${at}`)
    await check.click()
    await expect(alert).toBeVisible()
  }
  await expect(alert).toContainText('too frequently')
  await expect(alert).toContainText(/You can try again at \d\d:\d\d\./)
  forgive(problems, /429/)
})

test('OPEN-157 a coupon of a price goes along to the plans, and a flow that is left forgets it', async ({ page }) => {
  await openAsNew(page, 'percent', '/account/redeem/choose?coupon=WELCOME20')
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByRole('heading', { name: '20 % off a plan' })).toBeVisible()
  await page.getByRole('link', { name: 'Choose a plan' }).click()
  await expect(page).toHaveURL('/account/products/choose')
  expect(await page.evaluate(() => localStorage.getItem('routeParams'))).toContain('WELCOME20')
  await page.getByRole('link', { name: 'Choose Unlimited Cameras' }).click()
  await expect(page.getByText('20 % off the first month.')).toBeVisible()
  await page.goto('/account/redeem/choose')
  await expect(page.getByLabel('Coupon code')).toHaveValue('WELCOME20')
  await page.goto('/account/services')
  const kept = () => page.evaluate(() => localStorage.getItem('routeParams') ?? '')
  await expect.poll(kept).not.toContain('WELCOME20')
  await page.goto('/account/redeem/choose')
  await expect(page.getByLabel('Coupon code')).toHaveValue('')
})
