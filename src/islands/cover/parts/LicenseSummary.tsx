import { useStore } from '@nanostores/react'
import Cctv from 'lucide-react/icons/cctv'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { formatCount } from '../../../domain/copy/counts.ts'
import { listLicensePriceRows } from '../../../domain/copy/licenses.ts'
import { subscriptionSentence } from '../../../domain/copy/subscription-status.ts'
import type { ReadyLicenseManager } from '../../../stores/billing/license-manager.ts'
import { $catalog, getPlanPrice } from '../../../stores/billing/plan-catalog.ts'
import { MoneyRow } from '../../../ui/Money.tsx'

/** Maximum number of blocks: more blocks would be harder to read than the number beside them. */
const MAX_BLOCKS = 20

/** Licenses as blocks, dashed if unused, with their cameras and price. */
export function LicenseSummary({ cover: { plan, cameras, free } }: { cover: ReadyLicenseManager }) {
  const licensedCameras = cameras.filter(({ isBound }) => isBound)
  const used = Math.min(plan.quantity, licensedCameras.length)
  const blockCount = Math.min(plan.quantity, MAX_BLOCKS)
  return (
    <section className="card cover-licences" aria-labelledby="cover-licences">
      <h2 id="cover-licences">Licenses</h2>
      <div className="cover-blocks" aria-hidden="true">
        {Array.from({ length: blockCount }, (_, i) =>
          i < used ? (
            <span key={i}>
              <Cctv size={18} />
            </span>
          ) : (
            <span key={i} data-free>
              <Plus size={18} />
            </span>
          ),
        )}
      </div>
      <p className="money-total" role="status">
        {free} of {plan.quantity} unused
      </p>
      <p className="text-small text-ink-2">
        {licensedCameras.length === 0
          ? 'Not assigned to any camera yet.'
          : licensedCameras.map(({ device }) => device.nickname).join(', ')}
      </p>
      {licensedCameras.length > plan.quantity && (
        <p className="text-small text-error-ink">
          {licensedCameras.length} cameras are assigned, but this plan has {formatCount(plan.quantity, 'license')}. Only{' '}
          {plan.quantity === 1 ? 'the camera assigned first is' : 'the cameras assigned first are'} covered.
        </p>
      )}
      <LicensePrice plan={plan} />
      <p className="text-small text-ink-2">There’s no extra charge to assign a license.</p>
    </section>
  )
}

function LicensePrice({ plan }: Pick<ReadyLicenseManager, 'plan'>) {
  const catalog = useStore($catalog)
  const [now] = useState(Date.now)
  const basisPoints = catalog.state === 'ready' ? catalog.tax_basis_points : null
  const rows = listLicensePriceRows(plan, getPlanPrice(catalog, plan.sku), basisPoints, now)
  if (!rows) return <p className="cover-price text-small text-ink-2">{subscriptionSentence(plan, now)}</p>
  return (
    <dl className="cover-price">
      {rows.map(({ title, cents }) => (
        <MoneyRow key={title} title={title} cents={cents} />
      ))}
    </dl>
  )
}
