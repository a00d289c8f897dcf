import * as v from 'valibot'
import { FIRST_CURRENCY } from '../billing/amounts.ts'
import { cents } from '../billing/money.ts'

/**
 * One mismatch between ledger, payment gateway and projection; null: one of them has no such record, or it is not an
 * amount.
 */
const difference = v.object({
  where: v.picklist(['gateway', 'book', 'projection']),
  /** Subject, by the ids of both sides. */
  what: v.string(),
  book: v.nullable(cents),
  other: v.nullable(cents),
})
export type LedgerMismatch = v.InferOutput<typeof difference>

/** One page of GET `/admin/v1/books?after=…`: accounts in id order; `next` continues after the last one. */
export const booksPage = v.object({
  code: v.literal(200),
  data: v.object({
    accounts: v.array(
      v.object({
        user_id: v.string(),
        email: v.string(),
        /** Collected charges, and their sum. */
        charges: v.number(),
        cents,
        /** ISO code of the ledger's amounts. */
        currency: v.optional(v.string(), FIRST_CURRENCY),
        differences: v.array(difference),
      }),
    ),
    next: v.nullable(v.string()),
  }),
})

/** POST `/admin/v1/books/rebuild` and `…/open`, page by page as well. */
export const booksDone = v.object({
  code: v.literal(200),
  data: v.object({ accounts: v.number(), next: v.nullable(v.string()) }),
})
