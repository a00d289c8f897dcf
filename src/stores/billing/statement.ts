import { atom } from 'nanostores'
import { getBook } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { bookTable, type BookEntry, type BookSum } from '../../domain/copy/statement.ts'
import { toCsv } from '../../../contract/wire/csv.ts'
import { type Failure, type Outcome, withFailureShown } from '../shell/report-failure.ts'
import { saveAs } from '../shell/save-file.ts'

/** Loaded part of the account's statement. `next`: cursor of the rest, null if complete. */
export interface LoadedStatement {
  readonly entries: readonly BookEntry[]
  readonly sums: readonly BookSum[]
  readonly next: string | null
}

/** Statement loaded so far; null until its first page has loaded. */
export const $ownBook = atom<LoadedStatement | null>(null)

const NOT_KNOWN = 'Your book could not be loaded. Nothing in it has changed; try again in a moment.'

/** Loads the next page of the statement, if there is one. Returns null on success. */
export async function loadMoreOfBook(shows: 'place' | 'toast' = 'place'): Promise<Failure | null> {
  const statement = $ownBook.get()
  if (statement && statement.next === null) return null
  const answer: Outcome<DataOf<typeof getBook>> = await withFailureShown(
    shows,
    request(getBook, statement?.next ? { after: statement.next } : {}),
    NOT_KNOWN,
  )
  if (!answer.ok) return answer
  const { entries, sums, next } = answer.data
  if ($ownBook.get() === statement) $ownBook.set({ entries: [...(statement?.entries ?? []), ...entries], sums, next })
  return null
}

/** Saves the whole statement as CSV, after loading the rest of it. */
export async function saveBook(): Promise<Failure | null> {
  do {
    const failure = await loadMoreOfBook('toast')
    if (failure) return failure
  } while ($ownBook.get()?.next)
  const table = toCsv(bookTable($ownBook.get()?.entries ?? []))
  saveAs(new Blob([table], { type: 'text/csv;charset=utf-8' }), `${BRAND_NAME} book.csv`)
  return null
}
