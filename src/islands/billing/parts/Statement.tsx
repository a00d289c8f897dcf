import { useStore } from '@nanostores/react'
import Download from 'lucide-react/icons/download'
import { useEffect, useState } from 'react'
import { accountLabel, type LedgerEntry, type LedgerSum, entryLabel } from '../../../domain/copy/statement.ts'
import { getInvoiceUrl } from '../../../domain/copy/invoice-status.ts'
import { shortDayWithYearLabel } from '../../../domain/time/date-formats.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { $statement, loadStatement, saveStatementCsv, type LoadedStatement } from '../../../stores/billing/statement.ts'
import { Button } from '../../../ui/Button.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { useAction } from '../../../ui/use-action.ts'

const ENTRIES_PER_STEP = 100

/** Balance of each ledger account, and the ledger entries with their postings, newest first. */
export function AccountStatement() {
  const statement = useStore($statement)
  const [visibleCount, setVisibleCount] = useState(ENTRIES_PER_STEP)
  const loading = useAction()
  const saving = useAction()
  const load = () => void loading.run(loadStatement)
  // Loads once; the data stays while the page is open.
  useEffect(() => {
    if (!isComplete($statement.get())) load()
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  if (!isComplete(statement) && loading.failure)
    return <LoadError title="We couldn’t load your ledger" text={loading.failure.text} onRetry={load} />
  if (!isComplete(statement)) return <RowsSkeleton rows={4} label="Loading your ledger" />
  return (
    <>
      <LedgerBalances sums={statement.sums} />
      <LedgerEntryTable entries={statement.entries.toReversed().slice(0, visibleCount)} />
      <div className="book-actions">
        {statement.entries.length > visibleCount && (
          <Button kind="outline" size="sm" onClick={() => setVisibleCount(visibleCount + ENTRIES_PER_STEP)}>
            Show more
          </Button>
        )}
        <Button
          kind="outline"
          size="sm"
          isBusy={saving.isBusy}
          busyText="Preparing…"
          onClick={() => void saving.run(saveStatementCsv)}
        >
          <Download size={16} aria-hidden="true" />
          Download ledger
        </Button>
      </div>
    </>
  )
}

const isComplete = (statement: LoadedStatement | null): statement is LoadedStatement =>
  statement !== null && statement.next === null

function LedgerBalances({ sums }: { sums: readonly LedgerSum[] }) {
  const total = sums.reduce((all, { cents }) => all + cents, 0)
  return (
    <dl className="book-sums" aria-label="Account balances">
      {sums.map(({ account, cents }) => (
        <div key={account}>
          <dt>{accountLabel(account)}</dt>
          <dd>{formatMoney(cents)}</dd>
        </div>
      ))}
      <div className="book-total">
        <dt>Total</dt>
        <dd>{formatMoney(total)}</dd>
      </div>
    </dl>
  )
}

function LedgerEntryTable({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <div className="book-scroll" role="region" aria-label="Ledger entries, newest first" tabIndex={0}>
      <table className="book-table">
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Type</th>
            <th scope="col">Account</th>
            <th scope="col" className="bill-amount">
              Amount
            </th>
          </tr>
        </thead>
        {entries.map(({ entry, at, kind, bill, postings }) => (
          <tbody key={entry}>
            {postings.map(({ account, cents }, n) => (
              <tr key={n}>
                {n === 0 && (
                  <>
                    <td className="book-date" rowSpan={postings.length}>
                      {shortDayWithYearLabel(at)}
                    </td>
                    <td rowSpan={postings.length}>
                      {entryLabel({ kind })}
                      {bill !== '' && (
                        <a className="book-bill" href={getInvoiceUrl({ bill })}>
                          {bill}
                        </a>
                      )}
                    </td>
                  </>
                )}
                <td>{accountLabel(account)}</td>
                <td className="bill-amount">{formatMoney(cents)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}
