import { atom } from 'nanostores'
import { getLedger } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { createLedgerTable, type LedgerEntry, type LedgerSum } from '../../domain/copy/statement.ts'
import { toCsv } from '../../../contract/wire/csv.ts'
import { type Failure, type Outcome, withFailureShown } from '../shell/report-failure.ts'
import { saveFile } from '../shell/save-file.ts'

/** Loaded part of the account's statement. `next`: cursor of the next page, null if all pages have loaded. */
export interface LoadedStatement {
  readonly entries: readonly LedgerEntry[]
  readonly sums: readonly LedgerSum[]
  readonly next: string | null
}

export const $statement = atom<LoadedStatement | null>(null)

const STATEMENT_FAILED_TEXT = 'We couldn’t load your ledger. Nothing has changed on your account. Try again shortly.'

/** Loads the next page of the statement, if there is one. Returns null on success. */
export async function loadNextStatementPage(failureDisplay: 'place' | 'toast' = 'place'): Promise<Failure | null> {
  const statement = $statement.get()
  if (statement && statement.next === null) return null
  const response: Outcome<DataOf<typeof getLedger>> = await withFailureShown(
    failureDisplay,
    request(getLedger, statement?.next ? { after: statement.next } : {}),
    STATEMENT_FAILED_TEXT,
  )
  if (!response.ok) return response
  const { entries, sums, next } = response.data
  if ($statement.get() === statement)
    $statement.set({ entries: [...(statement?.entries ?? []), ...entries], sums, next })
  return null
}

/**
 * Loads all missing pages of the statement. The server sends the oldest entries first, so the newest are complete only
 * after the last page.
 */
export async function loadStatement(failureDisplay: 'place' | 'toast' = 'place'): Promise<Failure | null> {
  do {
    const failure = await loadNextStatementPage(failureDisplay)
    if (failure) return failure
  } while ($statement.get()?.next)
  return null
}

/** Saves all entries as a CSV file. */
export async function saveStatementCsv(): Promise<Failure | null> {
  const failure = await loadStatement('toast')
  if (failure) return failure
  const table = toCsv(createLedgerTable($statement.get()?.entries ?? []))
  saveFile(new Blob([table], { type: 'text/csv;charset=utf-8' }), `${BRAND_NAME} ledger.csv`)
  return null
}
