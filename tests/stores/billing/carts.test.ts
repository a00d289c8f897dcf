import { beforeEach, describe, expect, test } from 'vitest'
import { BLANK_CARD_CART } from '../../../src/domain/billing/purchase-cart.ts'
import { BLANK_PLAN_CART } from '../../../src/domain/billing/plan-cart.ts'
import {
  $cardCart,
  $planCart,
  cardEntry,
  clearCarts,
  getPlanEntry,
  setPlanInCarts,
  setQuantityInCarts,
} from '../../../src/stores/billing/carts.ts'
import { $isJoinT3List, loadCatalog, setT3ListMembership } from '../../../src/stores/billing/plan-catalog.ts'
import { $currency, setCurrency } from '../../../src/stores/billing/currency.ts'
import { clearUserData } from '../../../src/stores/storage/safe-storage.ts'
import { stubApiResponses } from '../../support/client.ts'

const CATALOG = { kind: 'catalogue', currency: 'USD', tax_basis_points: 825, sells: true, trial: false, plans: [] }

beforeEach(() => {
  $planCart.set(BLANK_PLAN_CART)
  $cardCart.set(BLANK_CARD_CART)
})
const readStored = (key: string): unknown => JSON.parse(localStorage.getItem(key) ?? 'null')

describe('carts', () => {
  test('CART-03 CART-08 are stored in the browser, each under its own name', () => {
    setPlanInCarts('checkout', 'cam-ai', 'annual')
    setQuantityInCarts('checkout', 3)
    expect(readStored('cardCart')).toEqual({
      ...BLANK_CARD_CART,
      checkout: { sku: 'cam-ai', level: 1, mode: 'annual', quantity: 3 },
    })
    expect(readStored('planCart')).toMatchObject({
      checkout: { title: 'Camera AI', price: '29.99', sku: 'cam-ai', plan: { an_quantity: 3, mo_quantity: 3 } },
      update: BLANK_PLAN_CART.update,
    })
  })

  test('contain the same plan, period and quantity after each action, in either mode', () => {
    for (const mode of ['checkout', 'update'] as const) {
      setPlanInCarts(mode, 'cam-ai', 'monthly')
      for (const quantity of [2, 3, 2, 9, 8]) {
        setQuantityInCarts(mode, quantity)
        expect(cardEntry(mode)).toEqual({ sku: 'cam-ai', level: 1, mode: 'monthly', quantity })
        expect(getPlanEntry(mode).plan).toEqual({ an_quantity: quantity, mo_quantity: quantity })
      }
    }
  })

  test('CART-15 CART-07 are blank again after the purchase, but the card cart of the other mode stays', () => {
    setPlanInCarts('update', 'unlimited', 'annual')
    setPlanInCarts('checkout', 'cam-ai', 'monthly')
    setQuantityInCarts('checkout', 4)
    clearCarts('checkout')
    expect($planCart.get()).toEqual(BLANK_PLAN_CART)
    expect(cardEntry('checkout')).toEqual({ sku: '', level: '', mode: '', quantity: 1 })
    expect(cardEntry('update')).toMatchObject({ sku: 'unlimited', mode: 'annual' })
  })
})

describe('currency', () => {
  test('STORE-04 STORE-05 CONST-08 defaults to USD, is replaced and stored, survives sign-out, and treats an unknown code as none', () => {
    expect($currency.get()).toBe('USD')
    setCurrency('EUR')
    expect([$currency.get(), localStorage.getItem('currentCurrency')]).toEqual(['EUR', 'EUR'])
    clearUserData()
    expect(localStorage.getItem('currentCurrency')).toBe('EUR')
    localStorage.setItem('currentCurrency', 'dollars')
    window.dispatchEvent(new StorageEvent('storage', { key: 'currentCurrency', newValue: 'dollars' }))
    expect($currency.get()).toBe('USD')
    setCurrency('USD')
  })
})

describe('Pro waiting list', () => {
  const readFlag = () => [$isJoinT3List.get(), localStorage.getItem('isJoinT3List')]
  const waitingListResponse = (joined: boolean) => ({ code: 200, data: { joined } })

  test('SESSION-05 OPEN-173 the flag defaults to false, follows the provider, and is cleared at sign-out', async () => {
    const answers: Record<string, unknown> = {}
    const requests = stubApiResponses(answers)
    expect(readFlag()).toEqual([false, null])
    answers['t3-list'] = { code: 500, msg: '' }
    expect(await setT3ListMembership(true)).toMatchObject({ code: '500', inPlace: false })
    expect(readFlag()).toEqual([false, null])
    answers['t3-list'] = waitingListResponse(true)
    expect(await setT3ListMembership(true)).toBeNull()
    expect(requests.at(-1)).toMatchObject({ body: { joined: true } })
    expect(readFlag()).toEqual([true, 'yes'])
    answers['t3-list'] = waitingListResponse(false)
    expect(await setT3ListMembership(false)).toBeNull()
    expect(readFlag()).toEqual([false, ''])
    answers['recurring_info'] = { code: 200, data: { ...CATALOG, t3_list: true } }
    await loadCatalog()
    expect(readFlag()).toEqual([true, 'yes'])
    clearUserData()
    expect(localStorage.getItem('isJoinT3List')).toBeNull()
  })
})
