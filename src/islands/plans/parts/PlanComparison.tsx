import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { COMPARED_PLANS, PLAN_COMPARISON } from '../../../domain/billing/plan-comparison.ts'

/** Table that compares the plans. On phones each row is a block, with the compared feature above the plans. */
export function PlanComparison() {
  return (
    <section className="card compare" id="compare" aria-labelledby="compare-title">
      <h2 id="compare-title">What tells them apart</h2>
      <table>
        <thead>
          <tr>
            <td />
            {COMPARED_PLANS.map((sku) => (
              <th key={sku} scope="col">
                {getPlan(sku).name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {PLAN_COMPARISON.map(({ what: feature, means, has }) => (
            <tr key={feature}>
              <th scope="row">
                {feature}
                <small>{means}</small>
              </th>
              {COMPARED_PLANS.map((sku) => (
                <td key={sku} data-plan={getPlan(sku).name}>
                  {has[sku]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
