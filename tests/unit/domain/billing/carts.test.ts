import { describe, expect, test } from 'vitest'
import { getPlan, SUBSCRIPTION_TIERS } from '../../../../contract/billing/plan-catalog.ts'
import { SKUS } from '../../../../contract/billing/skus.ts'
import {
  BLANK_CARD_CART,
  decrementCard,
  incrementCard,
  resetCard,
  setCard,
  type CardCart,
} from '../../../../src/domain/billing/purchase-cart.ts'
import {
  add,
  BLANK_PLAN_CART,
  decrementUpdate,
  setDefaultQuantity,
  incrementUpdate,
  toPlanItem,
  displayedQuantity,
  reduce,
  resetPlans,
  setPlan,
  type CartMode,
  type PlanCart,
} from '../../../../src/domain/billing/plan-cart.ts'
import { formatMoney, formatTwoDecimals } from '../../../../contract/billing/amounts.ts'

const MODES = ['checkout', 'update'] as const
const getOtherMode = (mode: CartMode): CartMode => (mode === 'checkout' ? 'update' : 'checkout')
const createQuantities = (an_quantity: number, mo_quantity = an_quantity) => ({ an_quantity, mo_quantity })

describe('the card cart', () => {
  test('CART-01 CART-02 CART-20 has an entry for checkout and one for update, each with sku, level, mode and quantity 1', () => {
    const blank = { sku: '', level: '', mode: '', quantity: 1 }
    expect(BLANK_CARD_CART).toEqual({ checkout: blank, update: blank })
  })

  test.each(MODES)('CART-04 CART-05 CART-06 of %s counts up, down and to a number, without a limit', (mode) => {
    expect(incrementCard(BLANK_CARD_CART, mode)[mode].quantity).toBe(2)
    expect(decrementCard(decrementCard(BLANK_CARD_CART, mode), mode)[mode].quantity).toBe(-1)
    expect(setCard(BLANK_CARD_CART, mode, { quantity: 250 })[mode].quantity).toBe(250)
  })

  test.each(MODES)('CART-07 of %s is reset to quantity 1 with empty sku, level and mode', (mode) => {
    const filled = setCard(BLANK_CARD_CART, mode, { sku: 'cam-ai', level: 1, mode: 'annual', quantity: 7 })
    expect(filled[mode]).toEqual({ sku: 'cam-ai', level: 1, mode: 'annual', quantity: 7 })
    expect(resetCard(filled, mode)[mode]).toEqual({ sku: '', level: '', mode: '', quantity: 1 })
  })

  test.each(MODES)('CART-23 leaves the other entry unchanged, whatever happens to that of %s', (mode) => {
    const filled: CardCart = setCard(BLANK_CARD_CART, getOtherMode(mode), { sku: 'unlimited', level: 2, quantity: 3 })
    for (const act of [incrementCard, decrementCard, resetCard])
      expect(act(filled, mode)[getOtherMode(mode)]).toEqual(filled[getOtherMode(mode)])
    expect(setCard(filled, mode, { quantity: 9 })[getOtherMode(mode)]).toEqual(filled[getOtherMode(mode)])
  })
})

describe('the plan cart', () => {
  test('CART-08 CART-09 has an entry for checkout and one for update, with all fields that the page shows', () => {
    expect(Object.keys(BLANK_PLAN_CART)).toEqual(['checkout', 'update'])
    expect(Object.keys(BLANK_PLAN_CART.checkout)).toEqual([
      'title',
      'price',
      'product_id',
      'variant_id',
      'note',
      'sku',
      'level',
      'plan',
    ])
  })

  test('CART-10 PLAN-06 CART-20 has an annual and a monthly quantity, both initially 1', () => {
    expect(MODES.map((mode) => BLANK_PLAN_CART[mode].plan)).toEqual([createQuantities(1), createQuantities(1)])
  })

  test('CART-11 CART-12 raises both quantities by one with add, in either mode', () => {
    for (const mode of MODES) expect(add(BLANK_PLAN_CART, mode)[mode].plan).toEqual(createQuantities(2))
  })

  test('CART-13 CART-14 CART-21 lowers both quantities by one with reduce, even below 1', () => {
    for (const mode of MODES) {
      const once = reduce(BLANK_PLAN_CART, mode)
      expect(once[mode].plan).toEqual(createQuantities(0))
      expect(reduce(once, mode)[mode].plan).toEqual(createQuantities(-1))
    }
  })

  test('CART-21 shows a stored quantity below 1 as 1', () => {
    const low = reduce(reduce(BLANK_PLAN_CART, 'checkout'), 'checkout')
    expect(displayedQuantity(low.checkout, 'monthly')).toBe(1)
    expect(displayedQuantity(add(BLANK_PLAN_CART, 'checkout').checkout, '')).toBe(2)
  })

  const filled = (mode: CartMode): PlanCart =>
    setDefaultQuantity(setPlan(BLANK_PLAN_CART, mode, toPlanItem('cam-ai', 'annual')), mode, 4)

  test('CART-15 is blank with quantities 1 after a reset, in both modes', () => {
    expect(resetPlans()).toEqual(BLANK_PLAN_CART)
  })

  test.each(MODES)('CART-16 CART-23 replaces the plan in %s and keeps the quantities and the other mode', (mode) => {
    const cart = setPlan(filled(mode), mode, toPlanItem('unlimited', 'monthly'))
    expect(cart[mode]).toEqual({ ...toPlanItem('unlimited', 'monthly'), plan: createQuantities(4) })
    expect(cart[getOtherMode(mode)]).toEqual(BLANK_PLAN_CART[getOtherMode(mode)])
  })

  test.each(MODES)('CART-17 CART-23 sets both quantities of %s together', (mode) => {
    const cart = setDefaultQuantity(BLANK_PLAN_CART, mode, 5)
    expect(cart[mode].plan).toEqual(createQuantities(5))
    expect(cart[getOtherMode(mode)].plan).toEqual(createQuantities(1))
  })

  test('CART-18 changes both quantities of the base plan on the update page', () => {
    expect(incrementUpdate(BLANK_PLAN_CART, 'annual', true).update.plan).toEqual(createQuantities(2))
    expect(decrementUpdate(BLANK_PLAN_CART, 'monthly', true).update.plan).toEqual(createQuantities(0))
  })

  test('CART-19 CART-23 changes only the displayed period of any other plan, and never the checkout', () => {
    expect(incrementUpdate(BLANK_PLAN_CART, 'annual', false).update.plan).toEqual(createQuantities(2, 1))
    expect(incrementUpdate(BLANK_PLAN_CART, 'monthly', false).update.plan).toEqual(createQuantities(1, 2))
    expect(decrementUpdate(BLANK_PLAN_CART, 'monthly', false).update.plan).toEqual(createQuantities(1, 0))
    expect(incrementUpdate(BLANK_PLAN_CART, 'annual', false).checkout).toEqual(BLANK_PLAN_CART.checkout)
  })

  test('PLAN-02 has the level of the plan’s tier, and only the camera plan is a base plan', () => {
    expect(SKUS.map((sku) => toPlanItem(sku, 'monthly').level)).toEqual([...Object.values(SUBSCRIPTION_TIERS), ''])
    expect(SKUS.filter((sku) => getPlan(sku).isBase)).toEqual(['cam-ai'])
  })
})

describe('amounts', () => {
  test.each([
    ['5', '5.00'],
    ['5.5', '5.50'],
    ['2.999', '3.00'],
    ['1.005', '1.01'],
    ['-3', '-3.00'],
    ['', ''],
    ['free', 'free'],
    ['0x10', '0x10'],
    ['Infinity', 'Infinity'],
  ])(
    'CHECKOUT-06 CONST-19 a numeric string has two decimals, any other stays unchanged: %j gives %j',
    (text, expected) => {
      expect(formatTwoDecimals(text)).toBe(expected)
    },
  )

  test.each([
    [299, '$2.99'],
    [-478, '\u2212$4.78'],
    [0, '$0.00'],
    [123_456_789, '$1,234,567.89'],
    [7, '$0.07'],
  ])(
    'CHECKOUT-07 cents are formatted in the currency, with the minus before its sign: %j gives %j',
    (cents, expected) => {
      expect(formatMoney(cents)).toBe(expected)
    },
  )

  test('CHECKOUT-06 the price of a cart has two decimals and no currency', () => {
    expect(toPlanItem('cam-ai', 'annual').price).toBe('29.99')
    expect(formatMoney(1000, 'EUR')).toBe('€10.00')
  })
})
