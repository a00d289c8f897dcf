import type { Page } from 'playwright/test'
import { processRedeem, redeem } from '../../contract/billing/coupons.ts'
import { findings } from '../support/axe.ts'
import { giveCard, newAccount, openAsNew, PASSWORD, signInContext } from '../support/browser-account.ts'
import { CARD } from '../support/card-form.ts'
import { callAs, openWithCard, signInAsNew } from '../support/customer.ts'
import { expect, forgive, NOBODY, signIn, tabTo, test, throughProxy, VISITOR } from '../support/e2e.ts'
import type { FaultProxy } from '../support/fault-proxy.ts'

test.use({ storageState: NOBODY })

const CREATE = '**/purchase_v3/create'
const price = (page: Page) => page.getByRole('region', { name: 'Today’s price' })
const pay = (page: Page) => price(page).getByRole('button').last()
const services = (page: Page) => page.getByRole('region', { name: 'Services' })

const withCard = (page: Page, name: string) => openWithCard(page, name, '/account/products/unlimited')

async function payWithLostResponse(page: Page, faults: FaultProxy): Promise<void> {
  await throughProxy(page, faults, CREATE)
  await page.getByRole('radio', { name: 'Monthly' }).check()
  await expect(pay(page)).toHaveText('Pay $10.81')
  faults.fail('/api/p/web-backend/purchase_v3/create', { kind: 'lose' })
  await pay(page).click()
  await expect(price(page).getByRole('alert')).toBeVisible()
}

async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, page.locator(`[name=${name}]`))
  await page.keyboard.type(text)
}

test('a plan can be bought with the keyboard alone, including adding the card', async ({ page }) => {
  await openAsNew(page, 'keys', '/account/products/choose')
  await tabTo(page, page.getByRole('link', { name: 'Choose Unlimited Cameras' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/products/unlimited')
  await tabTo(page, page.getByRole('radio', { name: 'Monthly' }))
  await page.keyboard.press('Space')
  await expect(price(page)).toContainText('$10.81')
  await tabTo(page, page.getByRole('button', { name: 'Add a card or wallet' }))
  await page.keyboard.press('Enter')
  await typeInto(page, 'number', CARD.number)
  await typeInto(page, 'ends', CARD.ends)
  await typeInto(page, 'code', CARD.code)
  await typeInto(page, 'name', CARD.name)
  await typeInto(page, 'street', CARD.street)
  await typeInto(page, 'city', CARD.city)
  await typeInto(page, 'state', CARD.state)
  await typeInto(page, 'zip', CARD.zip)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/products/unlimited')
  await expect(pay(page)).toHaveText('Pay $10.81')
  await tabTo(page, pay(page))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/products/bought')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unlimited Cameras is on')
})

test(
  'Pay pressed while the price loads buys a price seen before and shows a new one',
  { tag: '@all' },
  async ({ page }) => {
    await withCard(page, 'early')
    await page.getByRole('radio', { name: 'Monthly' }).check()
    await expect(pay(page)).toHaveText('Pay $10.81')
    let gate = Promise.resolve()
    await page.route('**/preview_purchase', (route) => gate.then(() => route.continue()))
    const chooseHeld = async (...names: string[]) => {
      let open = () => {}
      gate = new Promise<void>((resolve) => (open = resolve))
      for (const name of names) await page.getByRole('radio', { name }).check()
      await expect(pay(page)).toHaveText('Waiting for the price')
      await pay(page).press('Enter')
      open()
    }
    await chooseHeld('Annual')
    await expect(price(page).getByRole('alert')).toContainText('Nothing was charged.')
    await expect(pay(page)).toHaveText('Pay $108.24')
    await chooseHeld('Monthly', 'Annual')
    await expect(page).toHaveURL('/account/products/bought')
    await expect(page.getByText('$108.24 paid with')).toBeVisible()
  },
)

test('buying takes three clicks from the plan list with a card on file', { tag: '@all' }, async ({ page }) => {
  await withCard(page, 'clicks')
  await page.goto('/account/products/choose')
  await page.getByRole('link', { name: 'Choose Camera AI' }).click()
  await page.getByRole('radio', { name: 'Annual' }).check()
  await pay(page).click()
  await expect(page).toHaveURL('/account/products/bought')
})

test(
  'two tabs buy the same plan once, and the second tab shows that it already exists',
  { tag: '@all' },
  async ({ page, problems }) => {
    await withCard(page, 'tabs')
    const other = await page.context().newPage()
    await other.goto('/account/products/unlimited')
    for (const tab of [page, other]) {
      await tab.getByRole('radio', { name: 'Monthly' }).check()
      await expect(pay(tab)).toHaveText('Pay $10.81')
    }
    await pay(page).click()
    await expect(page).toHaveURL('/account/products/bought')
    await pay(other).click()
    await expect(price(other).getByRole('alert')).toContainText('Nothing was charged.')
    await expect(pay(other)).toHaveAttribute('aria-disabled', 'true')
    await other.goto('/account/services')
    await expect(services(other).getByRole('heading', { name: 'Unlimited Cameras' })).toHaveCount(1)
    forgive(problems, { status: 409, path: /\/purchase_v3\/create$/ })
  },
)

test('a double click buys once, and Back does not offer the same plan again', { tag: '@all' }, async ({ page }) => {
  await withCard(page, 'double')
  const sent: string[] = []
  page.on('request', (request) => /purchase_v3\/create$/.test(request.url()) && sent.push(request.url()))
  await page.getByRole('radio', { name: 'Monthly' }).check()
  await expect(pay(page)).toHaveText('Pay $10.81')
  await pay(page).dblclick()
  await expect(page).toHaveURL('/account/products/bought')
  expect(sent).toHaveLength(1)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change Unlimited Cameras')
  await expect(pay(page)).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('radio', { name: 'Monthly' }).check()
  await expect(pay(page)).toHaveAttribute('aria-disabled', 'true')
})

test(
  'a price that changes while the page is open is shown again and charged only after confirmation',
  { tag: '@all' },
  async ({ page, problems }) => {
    await withCard(page, 'changed')
    await page.getByRole('radio', { name: 'Monthly' }).check()
    await expect(pay(page)).toHaveText('Pay $10.81')
    const checked = (await callAs(page, redeem, { code: 'CREDIT20' })) as { options: { option_id: string }[] }
    const option_id = checked.options[0]?.option_id
    await callAs(page, processRedeem, { code: 'CREDIT20', option_id, intent: 'credit_while_a_price_is_open' })
    await pay(page).click()
    await expect(price(page).getByRole('alert')).toContainText('Nothing was charged.')
    await expect(price(page)).toContainText('From your balance')
    await expect(price(page).locator('[data-changed]')).toContainText('Due today')
    await pay(page).filter({ hasText: 'Confirm, $0.00 today' }).click()
    await expect(page).toHaveURL('/account/products/bought')
    forgive(problems, { status: 409, path: /\/purchase_v3\/create$/ })
  },
)

test(
  'the next press retries a purchase with a lost response, and nothing is bought twice',
  { tag: '@all' },
  async ({ page, faults, problems }) => {
    await withCard(page, 'lost')
    await payWithLostResponse(page, faults)
    faults.heal()
    await pay(page).click()
    await expect(page).toHaveURL('/account/products/bought')
    await page.goto('/account/services')
    await expect(services(page).getByRole('heading', { name: 'Unlimited Cameras' })).toHaveCount(1)
    forgive(problems, { network: /ERR_EMPTY_RESPONSE/, path: /\/purchase_v3\/create$/ })
  },
)

test(
  'a purchase with a lost response must finish on its own page before any other',
  { tag: '@all' },
  async ({ page, faults, problems }) => {
    await withCard(page, 'first')
    await payWithLostResponse(page, faults)
    await page.goto('/account/products/camera-ai?period=annual')
    await expect(price(page).getByRole('status')).toContainText('Unlimited Cameras')
    await expect(price(page).getByRole('button')).toHaveCount(0)
    expect(await findings(page, 'another purchase is open')).toEqual([])
    faults.heal()
    await price(page).getByRole('link', { name: 'Go on with it' }).click()
    await expect(page).toHaveURL('/account/products/bought')
    await page.goto('/account/services')
    await expect(services(page).getByRole('heading', { name: 'Unlimited Cameras' })).toHaveCount(1)
    forgive(problems, { network: /ERR_EMPTY_RESPONSE/, path: /\/purchase_v3\/create$/ })
  },
)

test(
  'with an unreachable payment gateway nothing is charged, and only another press retries',
  { tag: '@all' },
  async ({ page, faults, problems }) => {
    await withCard(page, 'silent')
    await throughProxy(page, faults, CREATE)
    await page.getByRole('radio', { name: 'Monthly' }).check()
    await expect(pay(page)).toHaveText('Pay $10.81')
    const create = '/api/p/web-backend/purchase_v3/create'
    faults.fail(create, { kind: 'answer', status: 503, body: '{"code":"gateway","msg":""}' })
    await pay(page).click()
    await expect(price(page).getByRole('alert')).toContainText('Nothing was charged.')
    await page.reload()
    await expect(pay(page)).toHaveText('Pay $10.81')
    expect(faults.count(create)).toBe(1)
    faults.heal()
    await pay(page).click()
    await expect(page).toHaveURL('/account/products/bought')
    forgive(problems, { status: 503, path: /\/purchase_v3\/create$/ })
  },
)

test('the period in a plan URL survives a failed page load', { tag: '@all' }, async ({ page, faults, problems }) => {
  await signInAsNew(page, 'again')
  await throughProxy(page, faults, '**/api/v2/subscriptions/**')
  faults.fail('/api/p/web-backend/api/v2/subscriptions', { kind: 'answer', status: 502, body: '{"code":502}' })
  await page.goto('/account/products/camera-ai?period=annual')
  const again = page.getByRole('region', { name: 'What you choose' }).getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  faults.heal()
  // The header also loads the subscriptions, and its load may recover the page first; then there is no button.
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1000 })
    await expect(page.getByRole('radio', { name: 'Annual' })).toBeChecked({ timeout: 1000 })
  }).toPass()
  forgive(problems, { status: 502, path: /\/api\/v2\/subscriptions\// })
})

test(
  'a purchase interrupted by an expired session continues after the sign-in',
  { tag: '@all' },
  async ({ page, problems }) => {
    const email = await newAccount('ended')
    await page.goto('/account/products/unlimited')
    await signIn(page, email, PASSWORD)
    await expect(page).toHaveURL('/account/products/unlimited')
    await signInContext(page.context(), email, PASSWORD)
    await giveCard(page)
    await page.reload()
    await page.getByRole('radio', { name: 'Annual' }).check()
    await expect(pay(page)).toHaveText('Pay $108.24')
    await page.context().clearCookies({ name: '__Host-Http-sid' })
    await pay(page).click()
    await expect(page).toHaveURL('/')
    // The provider's session is still valid, so this visit needs no password and completes the purchase.
    await page.goto('/account/products/unlimited')
    await expect(page).toHaveURL('/account/products/bought')
    await page.goto('/account/services')
    await expect(services(page).getByRole('heading', { name: 'Unlimited Cameras' })).toHaveCount(1)
    forgive(problems, VISITOR, { status: 401, path: /\/(purchase_v3\/create|auth\/refresh)$/ })
  },
)

test(
  'choosing a plan on the home page while signed out opens that plan after the sign-in',
  { tag: '@all' },
  async ({ page, problems }) => {
    const email = await newAccount('visitor')
    await page.goto('/')
    await page.getByRole('link', { name: 'Choose Camera AI' }).click()
    await signIn(page, email, PASSWORD)
    await expect(page).toHaveURL('/account/products/camera-ai')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Camera AI')
    forgive(problems, VISITOR)
  },
)
