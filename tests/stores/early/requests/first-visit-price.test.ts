import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Quote } from '../../../../contract/billing/purchase.ts'
import { reloadSubscriptions } from '../../../../src/stores/billing/subscriptions.ts'
import { setPlanInCarts } from '../../../../src/stores/billing/carts.ts'
import { openCheckout, submitPurchase } from '../../../../src/stores/billing/checkout.ts'
import {
  CAMERA_SUBSCRIPTION,
  COMPLETED_PURCHASE,
  createQuote,
  getCheckout,
  okResponse,
  openNewTab,
} from '../../../support/checkout.ts'
import type { SentRequest } from '../../../support/client.ts'
import { openDocument, recordNetwork, type Visit } from '../../../support/early-price.ts'

const answers: Record<string, unknown> = {}
let requests: SentRequest[]

beforeEach(() => {
  localStorage.clear()
  requests = openNewTab(answers)
  // The new tab has written empty carts.
  for (const key of ['planCart', 'cardCart']) localStorage.removeItem(key)
})
afterEach(() => {
  delete window.early
})

describe('without stored data, the document requests the price of a change of the account’s plan', () => {
  test.each<[string, Visit, object | null]>([
    ['of the account’s number of cameras', { search: '?period=monthly' }, { sku: 'cam-ai', level: 1, mode: 'monthly' }],
    [
      'of the cameras of the URL',
      { search: '?period=annual&cameras=3&coupon=SAVE-20' },
      { sku: 'cam-ai', level: 1, mode: 'annual', quantity: 3, coupon: 'SAVE-20' },
    ],
    [
      'of a plan for the home',
      { segment: 'unlimited', search: '?period=annual&plan=pro' },
      { sku: 'pro', level: 3, mode: 'annual', quantity: 1 },
    ],
    ['never without a period', {}, null],
  ])('%s', async (_, visit, expected) => {
    const sent = await openDocument(createQuote(), visit)
    expect(sent).toEqual(expected ? [{ ...expected, changes_own: true }] : [])
  })

  test('never with a cart, which may name another plan', async () => {
    setPlanInCarts('checkout', 'unlimited', 'annual')
    expect(await openDocument(createQuote(), { search: '?period=monthly' })).toEqual([])
  })
})

describe('without stored data, the page with the document’s price', () => {
  const visit = { search: '?period=monthly', segment: 'unlimited' }
  let network: readonly string[] = []
  const openWithDocument = async (quote: Quote) => {
    await openDocument(quote, visit)
    network = recordNetwork(answers, requests)
    await reloadSubscriptions()
    await openCheckout(visit.segment, visit.search)
  }
  const documentQuote = createQuote({ quote: 'of the document', sku: 'unlimited', mode: 'update' })
  beforeEach(() => {
    answers['user_1'] = okResponse({ subscriptions: [CAMERA_SUBSCRIPTION] })
    answers['preview_purchase'] = okResponse(createQuote({ quote: 'of the page' }))
  })

  test('opens with the price of the change and charges exactly this quote', async () => {
    answers['update_v3'] = COMPLETED_PURCHASE
    await openWithDocument(documentQuote)
    expect(getCheckout().price).toMatchObject({ state: 'ready', quote: { quote: 'of the document' } })
    expect(network).toEqual(['user_1'])
    await submitPurchase()
    const { subscription_id, revision } = CAMERA_SUBSCRIPTION
    expect(requests.find(({ path }) => path.endsWith('/update_v3'))?.body).toMatchObject({
      quote: 'of the document',
      subscription_id,
      revision,
    })
  })

  test.each<[string, Partial<Quote>]>([
    ['a new subscription', { mode: 'checkout' }],
    ['another number of cameras', { quantity: 2 }],
  ])('requests another price if the document’s price is for %s', async (_, change) => {
    await openWithDocument({ ...documentQuote, ...change })
    expect(getCheckout().price).toMatchObject({ state: 'ready', quote: { quote: 'of the page' } })
    expect(network).toEqual(['user_1', 'preview_purchase'])
  })
})
