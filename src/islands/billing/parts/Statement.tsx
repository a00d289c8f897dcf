import { useStore } from '@nanostores/react'
import Download from 'lucide-react/icons/download'
import { useEffect } from 'react'
import { accountLabel, type BookEntry, type BookSum, entryLabel } from '../../../domain/copy/statement.ts'
import { shortFullDay } from '../../../domain/time/date-formats.ts'
import { inMoney } from '../../../../contract/billing/amounts.ts'
import { $ownBook, loadMoreOfBook, saveBook } from '../../../stores/billing/statement.ts'
import { Button } from '../../../ui/Button.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { useAct } from '../../../ui/use-action.ts'

/** Ledger entries with their postings, and the balance of each ledger account after the entry. */
export function AccountStatement() {
  const book = useStore($ownBook)
  const more = useAct()
  const saving = useAct()
  const load = () => void more.run(loadMoreOfBook)
  // Loads once; the data stays while the page is open.
  useEffect(() => {
    if ($ownBook.get() === null) load()
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  if (book === null && more.failure)
    return <LoadError title="Your book could not be loaded" text={more.failure.text} again={load} />
  if (book === null) return <RowsSkeleton rows={4} label="Loading your book" />
  return (
    <>
      <Sums sums={book.sums} />
      <Entries entries={book.entries} />
      {more.failure && <LoadError text={more.failure.text} again={load} />}
      <div className="book-actions">
        {book.next !== null && (
          <Button kind="outline" size="sm" isBusy={more.isBusy} busyText="Loading more" onClick={load}>
            Show later entries
          </Button>
        )}
        <Button
          kind="outline"
          size="sm"
          isBusy={saving.isBusy}
          busyText="Gathering"
          onClick={() => void saving.run(saveBook)}
        >
          <Download size={16} aria-hidden="true" />
          Download your book
        </Button>
      </div>
    </>
  )
}

function Sums({ sums }: { sums: readonly BookSum[] }) {
  const total = sums.reduce((all, { cents }) => all + cents, 0)
  return (
    <dl className="book-sums" aria-label="What each account holds">
      {sums.map(({ account, cents }) => (
        <div key={account}>
          <dt>{accountLabel(account)}</dt>
          <dd>{inMoney(cents)}</dd>
        </div>
      ))}
      <div className="book-total">
        <dt>All together</dt>
        <dd>{inMoney(total)}</dd>
      </div>
    </dl>
  )
}

function Entries({ entries }: { entries: readonly BookEntry[] }) {
  return (
    <div className="book-scroll" role="region" aria-label="Entries, the oldest first" tabIndex={0}>
      <table className="book-table">
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">What</th>
            <th scope="col">Account</th>
            <th scope="col" className="bill-amount">
              Amount
            </th>
          </tr>
        </thead>
        {entries.map(({ entry, at, kind, postings }) => (
          <tbody key={entry}>
            {postings.map(({ account, cents }, n) => (
              <tr key={n}>
                <td>{n === 0 && shortFullDay(at)}</td>
                <td>{n === 0 && entryLabel({ kind })}</td>
                <td>{accountLabel(account)}</td>
                <td className="bill-amount">{inMoney(cents)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}
