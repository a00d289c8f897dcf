/** Replaces the price if the plan is not sold. `sellsOtherPlans`: the portal sells other plans. */
export function PurchaseUnavailable({ sellsOtherPlans }: { sellsOtherPlans: boolean }) {
  return (
    <section className="card quote-panel" aria-labelledby="price-title">
      <h2 id="price-title">Not on sale here</h2>
      <p>
        {sellsOtherPlans
          ? 'This plan cannot be bought here at the moment. What you have continues as it is.'
          : 'This portal has no payment provider, so nothing can be bought here. What you have continues as it is.'}
      </p>
      <a className="btn btn-outline" href="/account/products/choose">
        Explore plans
      </a>
    </section>
  )
}
