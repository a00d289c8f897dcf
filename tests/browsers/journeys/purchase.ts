import { TEST_CARD } from '../../support/card-form.ts'
import type { Journey, JourneyPage } from '../journey.ts'
import {
  clickOn,
  expectNoOverflow,
  expectText,
  expectUrl,
  press,
  selectRadio,
  signIn,
  waitUntil,
} from '../page-helpers.ts'

const PRICE = '$10.81'

export const purchaseJourney: Journey = {
  name: 'purchase',
  summary: 'A new account added a card on the card page, paid for a plan, and read the receipt.',
  async run({ page, origin, createAccount }) {
    const { email, password } = await createAccount()
    await page.goto(`${origin}/account/products/unlimited`)
    await signIn(page, password, email)
    await expectUrl(page, '/account/products/unlimited')
    await selectRadio(page, 'Monthly')
    await press(page, 'button', 'Add a card or wallet')
    await fillCard(page)
    await expectUrl(page, '/account/products/unlimited')
    await expectNoOverflow(page)
    await press(page, 'button', `Pay ${PRICE}`)
    await expectUrl(page, '/account/products/bought')
    await expectText(page, 'h1', 'Unlimited Cameras is active')
    await expectText(page, 'main', `${PRICE} paid with`)
    await expectNoOverflow(page)
    await page.goto(`${origin}/account/billing`)
    await expectText(page, 'main', PRICE)
    await expectNoOverflow(page)
  },
}

async function fillCard(page: JourneyPage): Promise<void> {
  await waitUntil('The card page does not open.', () => page.$('[name=number]'))
  await expectNoOverflow(page)
  for (const name of ['number', 'ends', 'code', 'name', 'street', 'city', 'zip'] as const) {
    const field = await waitUntil(`The card page has no field ${name}.`, () => page.$(`[name=${name}]`))
    await field.type(TEST_CARD[name])
  }
  const state = await waitUntil('The card page has no list of states.', () => page.$('[name=state]'))
  await state.focus()
  await page.keyboard.type(TEST_CARD.state)
  await clickOn(
    page,
    await waitUntil('The card page has no button.', () => page.$('button[value=save], form [type=submit]')),
  )
}
