// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PayAgain } from '../../../../src/islands/payment/parts/RetryPayment.tsx'
import { PayButton } from '../../../../src/islands/plan/parts/PayButton.tsx'
import { $checkout, selectCheckoutMethod, pay } from '../../../../src/stores/billing/checkout.ts'
import { $payment } from '../../../../src/stores/billing/payment-methods.ts'
import { loadQuote } from '../../../../src/stores/billing/price-quote.ts'
import { checkout, newTab, ok, quote, reload } from '../../../support/checkout.ts'
import { saysNoCharge } from '../../../support/facts.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const answers: Record<string, unknown> = {}
const place = document.createElement('div')
let root: ReturnType<typeof createRoot>
const text = () => place.textContent ?? ''
const button = (name: string) =>
  [...place.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(name))

beforeEach(async () => {
  newTab(answers)
  answers['preview_purchase'] = ok(quote({ currency: 'EUR' }))
  $payment.set({ ...$payment.get(), isLoaded: true, methods: [] })
  root = createRoot(place)
  await reload('unlimited', '?period=monthly')
  selectCheckoutMethod('card1')
})
afterEach(() => act(() => root.unmount()))

test('every amount on the payment page is in the currency of the quote', async () => {
  answers['create'] = { code: 4221, msg: '' }
  await pay()
  act(() => root.render(<PayAgain />))
  expect(text()).toContain('€10.81')
  expect(text()).toMatch(/€10\.81\D+4221\./)
  expect(text()).not.toContain('$')
})

test('a price that failed to load is reported on the payment page and retried with a click', async () => {
  answers['create'] = { code: 4221, msg: '' }
  await pay()
  answers['preview_purchase'] = null
  await loadQuote()
  act(() => root.render(<PayAgain />))
  expect(text()).toSatisfy(saysNoCharge)
  answers['preview_purchase'] = ok(quote())
  await act(async () => {
    button('Try again')?.click()
    await expect.poll(() => checkout().price.state).toBe('ready')
  })
  expect(button('Try again')).toBeUndefined()
})

test('a payment with an unknown result is not reported as uncharged, and no other method is offered', async () => {
  answers['create'] = null
  await pay()
  act(() => root.render(<PayAgain />))
  expect(text()).toContain('it is not known yet whether this went through')
  expect(text()).not.toContain('Nothing was charged')
  expect(place.querySelector('.pay-methods')?.hasAttribute('inert')).toBe(true)
  expect(button('Pay €10.81')?.getAttribute('aria-disabled')).toBeNull()
})

test('the pay button on a phone announces its busy state in its own text', () => {
  act(() => root.render(<PayButton checkout={checkout()} isShort />))
  expect(button('Pay')?.getAttribute('aria-label')).toBe('Pay €10.81')
  const busy = { ...checkout(), payment: { state: 'paying' } as const }
  act(() => root.render(<PayButton checkout={busy} isShort />))
  const now = button('Paying')
  expect([now?.getAttribute('aria-busy'), now?.getAttribute('aria-label')]).toEqual(['true', null])
})

test('the pay button retries a price that could not be calculated', async () => {
  $checkout.set({ ...checkout(), price: { state: 'none' } })
  answers['preview_purchase'] = null
  await loadQuote()
  act(() => root.render(<PayButton checkout={checkout()} />))
  answers['preview_purchase'] = ok(quote())
  await act(async () => {
    button('Try again')?.click()
    await expect.poll(() => checkout().price.state).toBe('ready')
  })
})
