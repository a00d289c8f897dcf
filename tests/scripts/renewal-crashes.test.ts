import { expect, test } from 'vitest'
import { measureRenewals } from '../bench/renewals.ts'

/** `npm run bench -- --renewals` does the same with 1,000 renewals. */
test('every ledger agrees with its gateway after 40 renewals over 4 kills', async () => {
  const result = await measureRenewals(40, 4)
  expect(result.differences).toEqual([])
  expect([result.renewals >= 40, result.kills]).toEqual([true, 4])
})
