import ChevronDown from 'lucide-react/icons/chevron-down'
import { lazy, Suspense, useState } from 'react'
import { loadWithRetry } from '../../../media/load-with-retry.ts'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'

const LazyStatement = lazy(() =>
  loadWithRetry(() => import('./Statement.tsx').then(({ AccountStatement: OwnBook }) => ({ default: OwnBook }))),
)

/** Statement of the account; loads on first opening. */
export function StatementPanel() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section className="card book-panel" aria-labelledby="book-title">
      <h2 id="book-title">Your book</h2>
      <p className="text-ink-2">
        Every cent that moved on this account, as we have written it down. Each entry adds up to zero, and so do all.
      </p>
      <button
        type="button"
        className="btn btn-soft btn-sm"
        aria-expanded={isOpen}
        aria-controls="own-book"
        onClick={() => setIsOpen(!isOpen)}
      >
        Check every cent
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div id="own-book" hidden={!isOpen}>
        {isOpen && (
          <Suspense fallback={<RowsSkeleton rows={4} label="Loading your book" />}>
            <LazyStatement />
          </Suspense>
        )}
      </div>
    </section>
  )
}
