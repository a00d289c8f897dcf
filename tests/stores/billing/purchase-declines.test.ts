import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  $checkout,
  restoreCheckout,
  selectCheckoutMethod,
  showMethodList,
  submitPurchase,
} from '../../../src/stores/billing/checkout.ts'
import { $userId } from '../../../src/stores/session/session.ts'
import { createQuote, getCheckout, openNewTab, reloadCheckout } from '../../support/checkout.ts'

const answers: Record<string, unknown> = {}

beforeEach(() => void openNewTab(answers))
afterEach(() => void vi.useRealTimers())

describe('declined payment', () => {
  const declinePurchase = async () => {
    await reloadCheckout('unlimited', '?period=monthly')
    selectCheckoutMethod('card1')
    answers['create'] = { code: 4221, msg: '' }
    await submitPurchase()
    $checkout.set(null)
  }

  test('is cleared on return to the list of payment methods while its price is valid', async () => {
    await declinePurchase()
    expect(restoreCheckout()).toBe(true)
    showMethodList()
    expect(getCheckout().payment.state).toBe('idle')
    $checkout.set(null)
    expect(restoreCheckout()).toBe(false)
  })

  test('expires with its price', async () => {
    vi.useFakeTimers({ now: createQuote().as_of })
    await declinePurchase()
    vi.setSystemTime(createQuote().expires_at)
    expect(restoreCheckout()).toBe(false)
  })

  test('is not shown if it belongs to another account in this tab', async () => {
    await declinePurchase()
    $userId.set('user_2')
    expect(restoreCheckout()).toBe(false)
  })
})
