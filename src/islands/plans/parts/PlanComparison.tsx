import { planOf } from '../../../../contract/billing/plan-catalog.ts'
import { COMPARED, COMPARISON } from '../../../domain/billing/plan-comparison.ts'

/** What tells the plans apart. On a phone each row is a block: the plans stand beneath what is compared. */
export function Compare() {
  return (
    <section className="card compare" id="compare" aria-labelledby="compare-title">
      <h2 id="compare-title">What tells them apart</h2>
      <table>
        <thead>
          <tr>
            <td />
            {COMPARED.map((sku) => (
              <th key={sku} scope="col">
                {planOf(sku).name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {COMPARISON.map(({ what, means, has }) => (
            <tr key={what}>
              <th scope="row">
                {what}
                <small>{means}</small>
              </th>
              {COMPARED.map((sku) => (
                <td key={sku} data-plan={planOf(sku).name}>
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
