import type { Invoice, Seller } from '../../../contract/billing/payment-methods-and-invoices.ts'

/**
 * Returns the response for a list of invoices. Below the buyer's address, adds the email, which the ledger does not
 * store.
 */
export const buildInvoiceList = (bills: readonly Invoice[], seller: Seller, email: string) => ({
  kind: 'invoices' as const,
  seller,
  invoices: bills.map((bill) => ({ ...bill, buyer: [...bill.buyer, email] })),
})
