import * as v from 'valibot'
import { LEGACY_CURRENCY } from '../billing/amounts.ts'
import { cents } from '../billing/money.ts'

/**
 * One mismatch: between the ledger and the payment gateway (`gateway`), inside the ledger (`book`), or between the
 * ledger and the projection (`projection`). `book`: amount in the ledger. `other`: amount at the payment gateway or in
 * the projection; for a mismatch inside the ledger, the expected amount. An amount is null if its side has no such
 * record, or if the mismatch is not about an amount.
 */
const ledgerMismatch = v.object({
  where: v.picklist(['gateway', 'book', 'projection']),
  /** Description of the record or sum that differs, for the operator. */
  what: v.string(),
  book: v.nullable(cents),
  other: v.nullable(cents),
})
export type LedgerMismatch = v.InferOutput<typeof ledgerMismatch>

/**
 * One page of GET `/admin/v1/books?after=…`, with accounts in id order. `next`: value of `after` for the next page;
 * null: last page.
 */
export const reconciliationPage = v.object({
  code: v.literal(200),
  data: v.object({
    accounts: v.array(
      v.object({
        user_id: v.string(),
        email: v.string(),
        /** Number of charges at the payment gateway, and their sum in cents before refunds. */
        charges: v.number(),
        cents,
        currency: v.optional(v.string(), LEGACY_CURRENCY),
        differences: v.array(ledgerMismatch),
      }),
    ),
    next: v.nullable(v.string()),
  }),
})

/**
 * One page of POST `/admin/v1/books/settle?after=…&release=…`: the ledgers that were on hold after a restore. `release`:
 * email address of an account whose hold ends in spite of differences.
 */
export const settlementPage = v.object({
  code: v.literal(200),
  data: v.object({
    settled: v.array(
      v.object({
        email: v.string(),
        /** False if the hold stays, because of `differences`. */
        is_settled: v.boolean(),
        /** Cents that the gateway collected after the backup and that the balance got. */
        cents,
        currency: v.string(),
        differences: v.array(ledgerMismatch),
      }),
    ),
    next: v.nullable(v.string()),
  }),
})

/** Response of POST `/admin/v1/books/rebuild` and `…/open`, which also work page by page. */
export const repairPageResponse = v.object({
  code: v.literal(200),
  data: v.object({ accounts: v.number(), next: v.nullable(v.string()) }),
})
