import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Sku } from '../../../../contract/billing/skus.ts'
import { COMPARED_PLANS, PLAN_COMPARISON } from '../../../domain/billing/plan-comparison.ts'

/**
 * Table that compares the plans. It scrolls inside its panel, with a fixed first column. On phones, a button opens it.
 * `suggested`: plan whose column is marked; null for none.
 */
export function PlanComparison({ suggested }: { suggested: Sku | null }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="btn btn-outline compare-button"
        aria-expanded={isOpen}
        aria-controls="compare"
        onClick={() => setIsOpen(!isOpen)}
      >
        Compare plans
        <ChevronDown size={18} aria-hidden="true" />
      </button>
      <section className="card compare" id="compare" aria-labelledby="compare-title" data-open={isOpen || undefined}>
        <h3 id="compare-title">Compare plans</h3>
        <div className="compare-scroll" role="region" aria-label="Comparison table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <td />
                {COMPARED_PLANS.map((sku) => (
                  <th key={sku} scope="col" data-best={sku === suggested || undefined}>
                    {getPlan(sku).name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {PLAN_COMPARISON.map(({ feature, note, values }) => (
                <tr key={feature}>
                  <th scope="row">
                    {feature}
                    {note !== '' && <small>{note}</small>}
                  </th>
                  {COMPARED_PLANS.map((sku) => (
                    <td key={sku} data-best={sku === suggested || undefined}>
                      <ComparedValue value={values[sku]} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  )
}

function ComparedValue({ value }: { value: string | boolean }) {
  if (typeof value === 'string') return value
  return (
    <>
      {value ? <Check size={18} aria-hidden="true" /> : <span aria-hidden="true">–</span>}
      <span className="sr-only">{value ? 'Included' : 'Not included'}</span>
    </>
  )
}
