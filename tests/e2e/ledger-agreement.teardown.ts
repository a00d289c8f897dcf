import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { booksPage } from '../../contract/operator/reconciliation.ts'
import { callOperator, readOperator } from '../../scripts/lib/operator.ts'
import { expect, test } from '../support/e2e.ts'
import { RESULTS } from '../support/results.ts'

test('ledger, gateway and projection agree on every account that the other specs have used', async () => {
  const operator = readOperator(`${RESULTS}/data/run.env`)
  const different: object[] = []
  let charges = 0
  for (let after: string | null = ''; after !== null;) {
    const path: string = `${ADMIN_PATHS.books}?after=${after}`
    const { data } = v.parse(booksPage, await callOperator(operator, 'GET', path))
    for (const account of data.accounts) {
      charges += account.charges
      if (account.differences.length > 0) different.push(account)
    }
    after = data.next
  }
  expect(different).toEqual([])
  expect(charges).toBeGreaterThan(0)
})
