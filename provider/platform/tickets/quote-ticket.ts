import * as v from 'valibot'
import { quote } from '../../../contract/billing/purchase.ts'

export const quoteContentSchema = v.object({
  user: v.string(),
  book: v.number(),
  terms: v.omit(quote, ['quote']),
  discount: v.nullable(v.object({ code: v.string(), kind: v.picklist(['percent', 'amount']), value: v.number() })),
  changes: v.nullable(v.object({ subscription_id: v.string(), revision: v.number() })),
  exp: v.number(),
})
export type QuoteContent = v.InferOutput<typeof quoteContentSchema>
