import { expect, test } from 'vitest'
import type { Order } from '../../../../contract/billing/purchase.ts'
import { purchaseSentence, purchaseTitle } from '../../../../src/domain/copy/purchase-confirmation.ts'
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
