import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { createDeferredComponent } from '../../../ui/lazy-component.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'

const LazyStatement = createDeferredComponent(async () => (await import('./Statement.tsx')).AccountStatement)

/** Statement of the account; loads on first opening. */
export function StatementPanel() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section className="card book-panel" aria-labelledby="book-title">
      <h2 id="book-title">Account ledger</h2>
      <p className="text-ink-2">
        Every charge, credit, and refund on your account. The amounts in each entry add up to zero.
      </p>
      <button
        type="button"
        className="btn btn-soft btn-sm"
        aria-expanded={isOpen}
        aria-controls="own-book"
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? 'Hide ledger' : 'View ledger'}
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div id="own-book" hidden={!isOpen}>
        {isOpen && <LazyStatement props={{}} fallback={<RowsSkeleton rows={4} label="Loading your ledger" />} />}
      </div>
    </section>
  )
}
