import type { Invoice } from '../../contract/billing/payment-methods-and-invoices.ts'
import type { MoneyLine } from '../../contract/billing/purchase.ts'
import { DAY_MS } from '../../contract/time-units.ts'

/** August 8, 2026, 12:00 UTC. */
export const INVOICE_TIME = Date.UTC(2026, 7, 8, 12)

/**
 * Returns an invoice's line item for three Camera AI licenses for a month. Amounts are in cents. `change` overrides
 * fields.
 */
export const createMoneyLine = (change: Partial<MoneyLine> = {}): MoneyLine => ({
  kind: 'plan',
  sku: 'cam-ai',
  period: 'monthly',
  quantity: 3,
  unit: 299,
  amount: 897,
  tax: 74,
  from: INVOICE_TIME,
  to: INVOICE_TIME + 31 * DAY_MS,
  ...change,
})

/** Returns an invoice that was paid by card when it was issued. `change` overrides fields. */
export const createInvoice = (change: Partial<Invoice> = {}): Invoice => ({
  bill: 'ABCDEFGHJK-7',
  kind: 'invoice',
  at: INVOICE_TIME,
  subscription_id: 'sub_1',
  lines: [createMoneyLine()],
  subtotal: 897,
  tax: 74,
  total: 971,
  balance_used: 0,
  paid: 971,
  state: 'paid',
  paid_at: INVOICE_TIME,
  method: { brand: 'visa', last_four: '4242', name: '' },
  refers_to: null,
  refunded: 0,
  refund_retried: false,
  currency: 'USD',
  buyer: ['Maya Reyes', '48 Alder Lane', 'maya@example.com'],
  ...change,
})

/** Returns a credit note for six unused days of one license, refunded to the card. `change` overrides fields. */
export const createCreditNote = (change: Partial<Invoice> = {}): Invoice =>
  createInvoice({
    bill: 'ABCDEFGHJK-8',
    kind: 'credit_note',
    refers_to: 'ABCDEFGHJK-7',
    refunded: 65,
    lines: [createMoneyLine({ kind: 'unused', quantity: 1, amount: -60, tax: -5, to: INVOICE_TIME + 6 * DAY_MS })],
    subtotal: -60,
    tax: -5,
    total: -65,
    paid: -65,
    ...change,
  })
