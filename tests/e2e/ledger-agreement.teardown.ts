import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { reconciliationPage } from '../../contract/operator/reconciliation.ts'
import { callOperator, readOperator } from '../../scripts/lib/operator.ts'
import { expect, test } from '../support/e2e.ts'
import { RESULTS_FOLDER } from '../support/results.ts'

test('ledger, gateway and projection agree on every account that the other specs have used', async () => {
  const operator = readOperator(`${RESULTS_FOLDER}/data/run.env`)
  const accountsWithDifferences: object[] = []
  let chargeCount = 0
  for (let after: string | null = ''; after !== null;) {
    const path: string = `${ADMIN_PATHS.books}?after=${after}`
    const { data } = v.parse(reconciliationPage, await callOperator(operator, 'GET', path))
    for (const account of data.accounts) {
      chargeCount += account.charges
      if (account.differences.length > 0) accountsWithDifferences.push(account)
    }
    after = data.next
  }
  expect(accountsWithDifferences).toEqual([])
  expect(chargeCount).toBeGreaterThan(0)
})
