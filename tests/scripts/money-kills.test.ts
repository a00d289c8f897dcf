import { expect, test } from 'vitest'
import { measureMoney, moneyHolds } from '../bench/money.ts'

/** `npm run bench -- --money` does the same a thousand times. */
test('50 checkouts over 5 kills: one order and one charge each, and every book agrees', async () => {
  const told = await measureMoney(50, 5)
  expect({ ...told, holds: moneyHolds(told) }).toMatchObject({
    ...{ checkouts: 50, missing: 0, doubled: 0, differences: [], holds: true },
  })
  expect(told.acknowledged).toBeGreaterThanOrEqual(50)
})
