import type { Invoice } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { createInvoiceTable } from '../../domain/copy/invoice-csv.ts'
import { toCsv } from '../../../contract/wire/csv.ts'
import { saveFile } from '../shell/save-file.ts'

export function saveInvoicesCsv(invoices: readonly Invoice[]): null {
  saveFile(
    new Blob([toCsv(createInvoiceTable(invoices))], { type: 'text/csv;charset=utf-8' }),
    `${BRAND_NAME} invoices.csv`,
  )
  return null
}
