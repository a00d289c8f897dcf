import * as v from 'valibot'
import { FIRST_CURRENCY } from '../billing/amounts.ts'
import { cents } from '../billing/money.ts'

/** What two of book, gateway and projection say differently of one thing; null: one of them does not know it, or it is no amount. */
const difference = v.object({
  where: v.picklist(['gateway', 'book', 'projection']),
  /** What it is about, by the ids of both. */
  what: v.string(),
  book: v.nullable(cents),
  other: v.nullable(cents),
})
export type LedgerMismatch = v.InferOutput<typeof difference>

/** A page of GET `/admin/v1/books?after=…`: accounts in the order of their ids, `next` goes on behind the last of them. */
export const booksPage = v.object({
  code: v.literal(200),
  data: v.object({
    accounts: v.array(
      v.object({
        user_id: v.string(),
        email: v.string(),
        /** Charges that were collected, and what they are worth together. */
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
