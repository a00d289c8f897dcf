import type { Journey, JourneyPage } from '../journey.ts'
import {
  expectUrl,
  assert,
  clickOn,
  waitForElement,
  expectNoOverflow,
  press,
  selectRadio,
  expectText,
  signIn,
  waitUntil,
} from '../page-helpers.ts'

export const accountJourney: Journey = {
  name: 'account',
  summary: 'Overview, services and plans showed the covered cameras and the prices, and signing out ended the session.',
  async run({ page, origin, isPhone }) {
    await page.goto(`${origin}/account`)
    await signIn(page)
    await expectUrl(page, '/account')
    await checkOverview(page)
    await press(page, 'link', 'Services')
    await expectUrl(page, '/account/services')
    await expectText(page, 'main', 'Unlimited Cameras')
    await expectNoOverflow(page)
    await checkPlans(page, origin, isPhone ? '.phone-bar b' : '.price-due dd')
    await signOut(page, origin)
  },
}

async function checkOverview(page: JourneyPage): Promise<void> {
  await expectText(page, 'h1', 'Hello')
  await expectText(page, 'main', 'owner@example.com')
  await expectText(page, 'main', 'All cameras, annual')
  await expectText(page, 'main li', 'Front door')
  await expectText(page, 'main', '$99.99 plus $8.25 tax')
  await expectText(page, 'main li', 'This device')
  await expectNoOverflow(page)
}

async function checkPlans(page: JourneyPage, origin: string, priceSelector: string): Promise<void> {
  await page.goto(`${origin}/account/products/choose`)
  const readCardTexts = () => page.$$eval('.price-card', (all) => all.map((element) => element.textContent ?? ''))
  await waitUntil('The owner’s current plan is not marked.', async () =>
    (await readCardTexts()).some((text) => text.includes('Unlimited Cameras') && text.includes('Your plan')),
  )
  await expectNoOverflow(page)
  await page.goto(`${origin}/account/products/camera-ai`)
  await expectText(page, 'h1', 'Camera AI')
  await selectRadio(page, 'Monthly')
  await waitUntil('No price is shown.', () =>
    page.$$eval(priceSelector, (all) =>
      all.some((element) => /^\$\d+\.\d\d$/.test((element.textContent ?? '').trim())),
    ),
  )
  await expectNoOverflow(page)
}

async function signOut(page: JourneyPage, origin: string): Promise<void> {
  await page.goto(`${origin}/account`)
  await clickOn(page, await waitUntil('There is no account menu.', () => page.$('[popovertarget=account-menu]')))
  await press(page, 'link', 'Log out')
  await expectUrl(page, '/')
  await waitForElement(page, 'link', 'Log in')
  await page.goto(`${origin}/live`)
  await waitUntil('The cameras are still visible after the sign-out.', () => page.$('input[type=password]'))
  const cookies = await page.evaluate(() => document.cookie)
  assert(!cookies.includes('signed_in'), 'The signed_in cookie remains after the sign-out.')
}
