import type { Invoice, Seller } from '../../../contract/billing/payment-methods-and-invoices.ts'

/** Bills as they are read; under the buyer's address stands the e-mail, which no book knows. */
export const billsFor = (bills: readonly Invoice[], seller: Seller, email: string) => ({
  kind: 'invoices' as const,
  seller,
  invoices: bills.map((bill) => ({ ...bill, buyer: [...bill.buyer, email] })),
})
