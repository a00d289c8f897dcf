/** Empty state of the invoice list. `isFiltered`: the list is limited to the invoices of one plan. */
export function NoInvoices({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="panel empty-state">
      <span className="glow">
        <svg width="56" height="56" viewBox="0 0 32 32" aria-hidden="true">
          <use href="#porch-logo" />
        </svg>
      </span>
      <h3>{isFiltered ? 'No bills of this plan' : 'No bills yet'}</h3>
      <p className="text-ink-2">
        {isFiltered
          ? 'Nothing was billed for it so far.'
          : 'Nothing was billed to this account so far, and nothing is to be paid.'}
      </p>
      <a className="btn btn-primary mt-4" href="/account/products/choose">
        Explore plans
      </a>
    </div>
  )
}
