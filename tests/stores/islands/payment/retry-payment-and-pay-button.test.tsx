// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RetryPayment } from '../../../../src/islands/payment/parts/RetryPayment.tsx'
import { PayButton } from '../../../../src/islands/plan/parts/PayButton.tsx'
import { $checkout, selectCheckoutMethod, submitPurchase } from '../../../../src/stores/billing/checkout.ts'
import { $paymentMethods } from '../../../../src/stores/billing/payment-methods.ts'
import { loadQuote } from '../../../../src/stores/billing/price-quote.ts'
import { getCheckout, openNewTab, okResponse, createQuote, reloadCheckout } from '../../../support/checkout.ts'
import { statesNoCharge } from '../../../support/facts.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const answers: Record<string, unknown> = {}
const container = document.createElement('div')
let root: ReturnType<typeof createRoot>
const readText = () => container.textContent ?? ''
const findButton = (name: string) =>
  [...container.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(name))

beforeEach(async () => {
  openNewTab(answers)
  answers['preview_purchase'] = okResponse(createQuote({ currency: 'EUR' }))
  $paymentMethods.set({ ...$paymentMethods.get(), isLoaded: true, methods: [] })
  root = createRoot(container)
  await reloadCheckout('unlimited', '?period=monthly')
  selectCheckoutMethod('card1')
})
afterEach(() => act(() => root.unmount()))

test('every amount on the payment page is in the currency of the quote', async () => {
  answers['create'] = { code: 4221, msg: '' }
  await submitPurchase()
  act(() => root.render(<RetryPayment />))
  expect(readText()).toContain('€10.81')
  expect(readText()).toMatch(/€10\.81 .+ 4221\./)
  expect(readText()).not.toContain('$')
})

test('a price that failed to load is reported on the payment page and retried with a click', async () => {
  answers['create'] = { code: 4221, msg: '' }
  await submitPurchase()
  answers['preview_purchase'] = null
  await loadQuote()
  act(() => root.render(<RetryPayment />))
  expect(readText()).toSatisfy(statesNoCharge)
  answers['preview_purchase'] = okResponse(createQuote())
  await act(async () => {
    findButton('Try again')?.click()
    await expect.poll(() => getCheckout().price.state).toBe('ready')
  })
  expect(findButton('Try again')).toBeUndefined()
})

test('a payment with an unknown result is not reported as uncharged, and no other method is offered', async () => {
  answers['create'] = null
  await submitPurchase()
  act(() => root.render(<RetryPayment />))
  expect(readText()).toContain('couldn’t confirm the payment')
  expect(readText()).not.toContain('haven’t been charged')
  expect(container.querySelector('.pay-methods')?.hasAttribute('inert')).toBe(true)
  expect(findButton('Pay €10.81')?.getAttribute('aria-disabled')).toBeNull()
})

test('the pay button on a phone announces its busy state in its own text', () => {
  act(() => root.render(<PayButton checkout={getCheckout()} isShort />))
  expect(findButton('Pay')?.getAttribute('aria-label')).toBe('Pay €10.81')
  const busy = { ...getCheckout(), payment: { state: 'paying' } as const }
  act(() => root.render(<PayButton checkout={busy} isShort />))
  const now = findButton('Paying')
  expect([now?.getAttribute('aria-busy'), now?.getAttribute('aria-label')]).toEqual(['true', null])
})

test('the pay button retries a price that could not be calculated', async () => {
  $checkout.set({ ...getCheckout(), price: { state: 'none' } })
  answers['preview_purchase'] = null
  await loadQuote()
  act(() => root.render(<PayButton checkout={getCheckout()} />))
  answers['preview_purchase'] = okResponse(createQuote())
  await act(async () => {
    findButton('Try again')?.click()
    await expect.poll(() => getCheckout().price.state).toBe('ready')
  })
})
