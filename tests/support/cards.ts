import type { PaymentMethod } from '../../contract/billing/payment-methods-and-invoices.ts'
import type { Env } from '../../provider/env.ts'
import { unwrapLedgerResult } from '../../provider/billing/ledger/ledger-stub.ts'

let cardSessionCount = 0

/** Adds a test card with these last four digits to the account, as the card page and its redirect do. */
export async function addCard(env: Env, userId: string, last_four: string, now = Date.now()): Promise<PaymentMethod> {
  const session = `cs_test_${(cardSessionCount += 1)}`
  const gateway = env.GATEWAYS.getByName(userId)
  await gateway.openCard(session, { email: 'a@example.com', lines: [] }, now)
  await gateway.enterCard(session, now)
  const ends = { month: 12, year: new Date(now).getUTCFullYear() + 2 }
  const address = ['1 Lake Road', 'Reno, NV 89501']
  const saved = await gateway.saveCard(
    session,
    { type: 'card', brand: 'visa', last_four, name: '', ends, address },
    now,
  )
  const method = await gateway.claimMethod(session, saved?.proof ?? null, now)
  if (method === null || method === 'unproven') throw new Error('The gateway has not saved the card.')
  return unwrapLedgerResult(await env.LEDGERS.getByName(userId).addMethod(session, method, now))
}
