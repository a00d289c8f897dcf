import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { $returnProblem, handleCardReturn } from '../../../src/stores/billing/card-page-return.ts'
import {
  $methodMessage,
  $paymentMethods,
  loadPaymentMethods,
  makeMethodDefault,
  requestCardPage,
  removePaymentMethod,
} from '../../../src/stores/billing/payment-methods.ts'
import { $selectedPayment, findPayingMethod } from '../../../src/stores/billing/selected-payment-method.ts'
import { $unpaidReturn, buildUnpaidReturn, openUnpaidReturn } from '../../../src/stores/billing/unpaid-charge.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { stubApiResponses } from '../../support/client.ts'
import { extractFacts } from '../../support/facts.ts'
import { CARD_ELSEWHERE_CODE } from '../../../contract/billing/payment-calls.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'

const createMethod = (method_id: string, change: Partial<PaymentMethod> = {}): PaymentMethod => ({
  method_id,
  type: 'card',
  brand: 'visa',
  last_four: '4242',
  name: '',
  ends: { month: 8, year: 2028 },
  state: 'good',
  is_default: false,
  may_go: true,
  added_at: 1,
  ...change,
})
const methodsResponse = (methods: PaymentMethod[]) => ({
  code: 200,
  data: { kind: 'payment_methods', methods, upcoming: [], balance: 0, address: ['Maya Reyes'] },
})
const changeResponse = (methods: PaymentMethod[]) => ({ code: 200, data: { methods } })
const EMPTY_PAYMENT = { methods: [], isLoaded: false, upcoming: [], balance: 0, address: [], failure: null }

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  $paymentMethods.set(EMPTY_PAYMENT)
  $selectedPayment.set(null)
  $methodMessage.set(null)
  $returnProblem.set(null)
  while ($toast.get()) closeToast()
  history.replaceState(null, '', '/account/payment')
})

describe('payment methods', () => {
  test('PAY-01 are a list and a flag for whether it is loaded', async () => {
    expect($paymentMethods.get()).toMatchObject({ methods: [], isLoaded: false })
    const requests = stubApiResponses({ recurring_info: methodsResponse([createMethod('m1')]) })
    await loadPaymentMethods()
    expect($paymentMethods.get()).toMatchObject({
      methods: [createMethod('m1')],
      isLoaded: true,
      address: ['Maya Reyes'],
    })
    expect(requests).toEqual([
      { path: expect.stringMatching(/\/services\/recurring_info$/), body: { kind: 'payment_methods' } },
    ])
  })

  test('show a failed load in place and keep the previous list', async () => {
    stubApiResponses({ recurring_info: methodsResponse([createMethod('m1')]) })
    await loadPaymentMethods()
    stubApiResponses({ recurring_info: { code: 503 } })
    await loadPaymentMethods()
    expect($paymentMethods.get()).toMatchObject({
      methods: [createMethod('m1')],
      isLoaded: true,
      failure: { inPlace: true },
    })
    expect($toast.get()).toBeNull()
  })

  test('OPEN-47 store the selected one by id, type, brand and expiry only', async () => {
    const chosen = createMethod('m2', { is_default: true })
    stubApiResponses({
      'choose-method': changeResponse([createMethod('m1'), chosen]),
      recurring_info: methodsResponse([createMethod('m1'), chosen]),
    })
    expect(await makeMethodDefault(createMethod('m2'))).toBeNull()
    const stored: unknown = JSON.parse(localStorage.getItem('selectedPayment') ?? '')
    expect(stored).toEqual({ id: 'm2', type: 'card', brand: 'visa', expiry: { month: 8, year: 2028 } })
    expect(extractFacts($toast.get()?.text ?? '')).toEqual(['Visa ·· 4242'])
  })

  test('can be removed, and a removed one is no longer selected', async () => {
    $selectedPayment.set({ id: 'm1', type: 'card', brand: 'visa', expiry: null })
    stubApiResponses({ 'remove-method': changeResponse([]), recurring_info: methodsResponse([]) })
    expect(await removePaymentMethod(createMethod('m1'))).toBeNull()
    expect([$paymentMethods.get().methods, $selectedPayment.get()]).toEqual([[], null])
  })

  test('retry with the same key after a lost or inconclusive response, with a new one after rejection', async () => {
    const keys: unknown[] = []
    const remove = async (answer: unknown) => {
      const requests = stubApiResponses({ 'remove-method': answer, recurring_info: methodsResponse([]) })
      await removePaymentMethod(createMethod('m1'))
      keys.push((requests[0]?.body as { intent: string }).intent)
    }
    await remove(null)
    await remove({ code: 500 })
    await remove({ code: 429 })
    await remove({ code: 4226 })
    await remove(changeResponse([]))
    expect(keys[0]).toMatch(/^[A-Za-z0-9_-]{16,64}$/)
    expect(new Set(keys.slice(0, 4)).size).toBe(1)
    expect(keys[4]).not.toBe(keys[3])
  })

  test('that cannot be removed show the catalog sentence in a toast and beside the method', async () => {
    stubApiResponses({ 'remove-method': { code: 4226 } })
    expect(await removePaymentMethod(createMethod('m1'))).toMatchObject({ code: '4226', inPlace: false })
    const text = findCatalogEntry('4226')?.text
    expect([$toast.get()?.text, $methodMessage.get()]).toEqual([text, { methodId: 'm1', text, isProblem: true }])
  })

  test('pay with the selected one while it is usable, otherwise with the default one', () => {
    const [defaultMethod, two] = [createMethod('m1', { is_default: true }), createMethod('m2')]
    const chosen = (id: string) => ({ id, type: 'card', brand: 'visa', expiry: null }) as const
    expect(findPayingMethod([defaultMethod, two], chosen('m2'))).toBe(two)
    expect(findPayingMethod([defaultMethod, { ...two, state: 'ended' }], chosen('m2'))).toBe(defaultMethod)
    expect(findPayingMethod([defaultMethod, two], chosen('gone'))).toBe(defaultMethod)
    expect(findPayingMethod([two], null)).toBeNull()
  })
})

describe('card page round trip', () => {
  const mockEdge = (answer: { code: number; [more: string]: unknown }) => {
    const requests: unknown[] = []
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
      requests.push([path, JSON.parse(String(init.body))])
      return Promise.resolve(Response.json(answer, { status: answer.code }))
    })
    return requests
  }
  const savedResponse = (return_to: string) => ({ code: 200, method: createMethod('m9'), return_to })

  test('names the page to return to', async () => {
    const requests = mockEdge({ code: 200, url: 'https://pay.example/t' })
    expect(await requestCardPage('/account/payment')).toMatchObject({
      ok: true,
      data: { url: 'https://pay.example/t' },
    })
    expect(requests).toEqual([['/api/payment/start', { return_to: '/account/payment' }]])
  })

  const markCardPageOpen = () => sessionStorage.setItem('card_page', 'open')

  test('claims the card once, confirms it in a toast and beside it, and cleans the URL', async () => {
    history.replaceState(null, '', '/account/payment?payment=200#proof=p1')
    markCardPageOpen()
    const requests = mockEdge(savedResponse('/account/payment'))
    stubApiResponses({ recurring_info: methodsResponse([createMethod('m9')]) })
    expect(await handleCardReturn()).toBeNull()
    expect([requests, location.search, location.hash]).toEqual([[['/api/payment/return', { proof: 'p1' }]], '', ''])
    expect(extractFacts($toast.get()?.text ?? '')).toEqual(['Visa ·· 4242'])
    expect($methodMessage.get()).toMatchObject({ methodId: 'm9', isProblem: false })
    expect($selectedPayment.get()?.id).toBe('m9')
    expect(await handleCardReturn()).toBeNull()
    expect(requests).toHaveLength(1)
  })

  test('continues to the page that requested the card', async () => {
    history.replaceState(null, '', '/account/payment?payment=200')
    mockEdge(savedResponse('/account/products/unlimited?coupon=A'))
    expect(await handleCardReturn()).toBe('/account/products/unlimited?coupon=A')
    expect(sessionStorage.getItem('next_toast')).toMatch(/^success .*Visa ·· 4242/)
  })

  test('replaces the method that it was opened for', async () => {
    mockEdge({ code: 200, url: 'https://pay.example/t' })
    await requestCardPage('/account/payment', { replaces: createMethod('m1') })
    history.replaceState(null, '', '/account/payment?payment=200')
    mockEdge(savedResponse('/account/payment'))
    const requests = stubApiResponses({
      recurring_info: methodsResponse([createMethod('m1', { is_default: true }), createMethod('m9')]),
      'choose-method': changeResponse([createMethod('m1'), createMethod('m9', { is_default: true })]),
      'remove-method': changeResponse([createMethod('m9', { is_default: true })]),
    })
    await handleCardReturn()
    expect(requests.map(({ path }) => path.split('/').at(-1)).filter((name) => name !== 'recurring_info')).toEqual([
      'choose-method',
      'remove-method',
    ])
  })

  test.each([
    ['4220', findCatalogEntry('4220')?.text ?? '-'],
    ['closed', 'No card was saved.'],
  ])('shows the result of the return, %s, and sends no request', async (code, text) => {
    history.replaceState(null, '', `/account/payment?payment=${code}`)
    markCardPageOpen()
    const requests = mockEdge(savedResponse('/account/payment'))
    expect(await handleCardReturn()).toBeNull()
    expect([$toast.get()?.text, requests, location.search]).toEqual([text, [], ''])
    expect($returnProblem.get()).toEqual(code === 'closed' ? null : { code, text })
  })

  test('leads back to the service with the failed charge, which says itself that the card is saved', async () => {
    const returnPath = buildUnpaidReturn('sub_1')
    const requests = mockEdge({ code: 200, url: 'https://pay.example/t' })
    await requestCardPage(returnPath, { unpaidSubscriptionId: 'sub_1' })
    expect(requests).toEqual([['/api/payment/start', { return_to: returnPath, subscription_id: 'sub_1' }]])
    history.replaceState(null, '', '/account/payment?payment=closed')
    expect(await handleCardReturn()).toBe('/account/services')
    expect(sessionStorage.getItem('next_toast')).toBe('warning No card was saved.')
    sessionStorage.clear()

    history.replaceState(null, '', '/account/payment?payment=200')
    mockEdge(savedResponse(returnPath))
    expect(await handleCardReturn()).toBe(returnPath)
    expect(sessionStorage.getItem('next_toast')).toBeNull()
    history.replaceState(null, '', returnPath)
    openUnpaidReturn()
    expect([$unpaidReturn.get(), location.search]).toEqual(['sub_1', ''])
  })

  test.each(['4220', 'closed', '200'])('shows nothing for %s in a link from another person', async (code) => {
    history.replaceState(null, '', `/account/payment?payment=${code}`)
    mockEdge({ code: 403 })
    expect(await handleCardReturn()).toBeNull()
    expect([$toast.get(), $returnProblem.get(), location.search]).toEqual([null, null, ''])
  })

  test.each([true, false])(
    'reports that the card was typed in another browser (started in this one: %s)',
    async (began) => {
      if (began) markCardPageOpen()
      history.replaceState(null, '', `/account/payment?payment=200${began ? '' : '#proof=p1'}`)
      vi.stubGlobal('fetch', () =>
        Promise.resolve(Response.json({ code: CARD_ELSEWHERE_CODE }, { status: began ? 409 : 403 })),
      )
      expect(await handleCardReturn()).toBeNull()
      expect([$returnProblem.get()?.code, location.search, location.hash]).toEqual([CARD_ELSEWHERE_CODE, '', ''])
      expect($toast.get()?.text).toBe($returnProblem.get()?.text)
    },
  )

  test('is retried by a reload after a response that says nothing about the card', async () => {
    history.replaceState(null, '', '/account/payment?payment=200#proof=p1')
    markCardPageOpen()
    mockEdge({ code: 503 })
    await handleCardReturn()
    const requests = mockEdge(savedResponse('/account/products/unlimited'))
    expect(await handleCardReturn()).toBe('/account/products/unlimited')
    expect([requests, location.hash]).toEqual([[['/api/payment/return', { proof: 'p1' }]], ''])
  })

  test('is remembered by this tab until the return', async () => {
    mockEdge({ code: 200, url: 'https://pay.example/t' })
    await requestCardPage('/account/payment')
    for (const toastText of ['No card was saved.', undefined]) {
      history.replaceState(null, '', '/account/payment?payment=closed')
      await handleCardReturn()
      expect($toast.get()?.text).toBe(toastText)
      closeToast()
    }
  })
})
