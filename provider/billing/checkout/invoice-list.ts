import type { Invoice, Seller } from '../../../contract/billing/payment-methods-and-invoices.ts'

/**
 * Returns the response for a list of invoices. Adds the email, which the ledger does not store, below the buyer's
 * address.
 */
export const buildInvoiceList = (bills: readonly Invoice[], seller: Seller, email: string) => ({
  kind: 'invoices' as const,
  seller,
  invoices: bills.map((bill) => ({ ...bill, buyer: [...bill.buyer, email] })),
})
