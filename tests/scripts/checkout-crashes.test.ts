import { expect, test } from 'vitest'
import { measureMoney, hasNoMoneyMismatch } from '../bench/money.ts'

/** `npm run bench -- --money` does the same with 1,000 checkouts. */
test('50 checkouts over 5 kills yield one order and one charge each, and every ledger agrees', async () => {
  const result = await measureMoney(50, 5)
  expect({ ...result, holds: hasNoMoneyMismatch(result) }).toMatchObject({
    checkouts: 50,
    missingOrderCount: 0,
    duplicateOrderCount: 0,
    differences: [],
    holds: true,
  })
  expect(result.acknowledged).toBeGreaterThanOrEqual(50)
})
