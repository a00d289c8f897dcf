import type { Invoice } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { billTable } from '../../domain/copy/invoice-csv.ts'
import { toCsv } from '../../../contract/wire/csv.ts'
import { saveAs } from '../shell/save-file.ts'

export function saveBills(bills: readonly Invoice[]): null {
  saveAs(new Blob([toCsv(billTable(bills))], { type: 'text/csv;charset=utf-8' }), `${BRAND_NAME} invoices.csv`)
  return null
}
