/** Empty state of the invoice list. `isFiltered`: the list is limited to the invoices of one plan. */
export function NoInvoices({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="panel empty-state">
      <span className="glow">
        <svg width="56" height="56" viewBox="0 0 32 32" aria-hidden="true">
          <use href="#porch-logo" />
        </svg>
      </span>
      <h3>{isFiltered ? 'No invoices for this plan' : 'No invoices yet'}</h3>
      <p className="text-ink-2">
        {isFiltered ? 'You haven’t been charged for this plan.' : 'You haven’t been charged, and nothing is due.'}
      </p>
      <a className="btn btn-primary mt-4" href="/account/products/choose">
        Explore plans
      </a>
    </div>
  )
}
