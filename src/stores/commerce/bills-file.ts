import type { Invoice } from '../../../contract/billing.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { billTable } from '../../domain/bill-table.ts'
import { toCsv } from '../../../contract/csv.ts'
import { saveAs } from '../shell/save-as.ts'

/** Saves bills as a table. */
export function saveBills(bills: readonly Invoice[]): null {
  saveAs(new Blob([toCsv(billTable(bills))], { type: 'text/csv;charset=utf-8' }), `${BRAND_NAME} invoices.csv`)
  return null
}
