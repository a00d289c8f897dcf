/** Replaces the price if the plan is not sold. `sellsOtherPlans`: the portal sells other plans. */
export function PurchaseUnavailable({ sellsOtherPlans }: { sellsOtherPlans: boolean }) {
  return (
    <section className="card quote-panel" aria-labelledby="price-title">
      <h2 id="price-title">Not available here</h2>
      <p>
        {sellsOtherPlans
          ? 'You can’t buy this plan here right now. Your current plan won’t change.'
          : 'This portal has no payment provider, so you can’t buy plans here. Your current plan won’t change.'}
      </p>
      <a className="btn btn-outline" href="/account/products/choose">
        Explore plans
      </a>
    </section>
  )
}
