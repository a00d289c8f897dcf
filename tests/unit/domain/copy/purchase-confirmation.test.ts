import { expect, test } from 'vitest'
import type { Order } from '../../../../contract/billing/purchase.ts'
import { nextChargeText, purchaseSentence, purchaseTitle } from '../../../../src/domain/copy/purchase-confirmation.ts'
import { areDistinct, extractFacts } from '../../../support/facts.ts'

const CAMERA_AI_ORDER = { sku: 'cam-ai', is_later: false } as Order

test.each([
  [{ covered: 0, cameras: 0, free: 2 }, []],
  [{ covered: 1, cameras: 3, free: 1 }, ['1']],
  [{ covered: 1, cameras: 1, free: 1 }, ['1']],
  [{ covered: 2, cameras: 3, free: 0 }, ['2', '3']],
  [{ covered: 3, cameras: 3, free: 0 }, ['3']],
])('the purchase confirmation for %j shows the counts %j', (reach, facts) => {
  expect(extractFacts(purchaseSentence(CAMERA_AI_ORDER, reach))).toEqual(facts)
})

test('the purchase confirmation of home monitoring promises no monitoring', () => {
  const order = { sku: 'hms', is_later: false, is_trial: false } as Order
  const sentence = purchaseSentence(order, { covered: 0, cameras: 0, free: 0 })
  expect(`${purchaseTitle(order)}. ${sentence}`).not.toMatch(/watched|protected|safe/i)
  expect(sentence).toContain('no one monitors')
})

test('the purchase confirmation claims no coverage until the cameras are known', () => {
  expect(purchaseSentence(CAMERA_AI_ORDER, null)).toBe('')
})

test('the purchase confirmation offers cameras only if one can be chosen', () => {
  const sentences = [3, 1].map((cameras) => purchaseSentence(CAMERA_AI_ORDER, { covered: 1, cameras, free: 1 }))
  expect(areDistinct(sentences)).toBe(true)
  expect(sentences.map((text) => /choose/i.test(text))).toEqual([true, false])
})

test('the next charge names the card that pays, and the email before an annual renewal', () => {
  const at = Date.UTC(2026, 10, 29, 12)
  const next = { at: Date.UTC(2027, 10, 29, 12), total: 10_824 }
  const order = { sku: 'unlimited', period: 'annual', at, next } as Order
  expect(nextChargeText(order, 'Visa ·· 4242').line).toBe(
    '$108.24 with tax, to Visa ·· 4242. We’ll email you 30 days in advance.',
  )
  expect(nextChargeText({ ...order, period: 'monthly' }, 'Visa ·· 4242').line).toBe('$108.24 with tax, to Visa ·· 4242')
  expect(nextChargeText({ ...order, next: { ...next, at: at + 20 * 86_400_000 } }).line).toBe('$108.24 with tax')
})
