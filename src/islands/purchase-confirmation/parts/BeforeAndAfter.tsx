import ArrowRight from 'lucide-react/icons/arrow-right'
import Cctv from 'lucide-react/icons/cctv'
import Film from 'lucide-react/icons/film'
import Search from 'lucide-react/icons/search'
import type { ReactNode } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Order } from '../../../../contract/billing/purchase.ts'
import { formatCameraCount, formatDayCount } from '../../../domain/copy/counts.ts'
import type { PurchaseConfirmation } from '../../../stores/billing/purchase-confirmation.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { CameraTile } from './CameraTile.tsx'

interface BeforeAndAfterProps {
  order: Order
  before: PurchaseConfirmation['before']
  cameras: readonly Device[]
  /** Licenses without a camera. */
  unusedCount: number
}

/** Number of covered cameras and retention before and after the purchase, the cameras, and the next step. */
export function BeforeAndAfter({ order, before, cameras, unusedCount }: BeforeAndAfterProps) {
  const { keepsDays, search } = getPlan(order.sku)
  const coveredBefore = cameras.filter(({ device_id }) => before.cameras.includes(device_id)).length
  const coveredNow = cameras.filter(({ covered }) => covered).length
  return (
    <section className="card bought-difference" aria-label="What is different now">
      <dl>
        <ChangeRow
          icon={<Cctv size={22} aria-hidden="true" />}
          title="Cameras covered"
          before={String(coveredBefore)}
          after={String(coveredNow)}
        />
        <ChangeRow
          icon={<Film size={22} aria-hidden="true" />}
          title="Clips are kept"
          before={formatDayCount(before.days)}
          after={formatDayCount(keepsDays ?? before.days)}
        />
        {search && (
          <ChangeRow
            icon={<Search size={22} aria-hidden="true" />}
            title="Search looks at"
            before={formatCameraCount(coveredBefore)}
            after={formatCameraCount(coveredNow)}
          />
        )}
      </dl>
      {cameras.length > 0 && (
        <ul className="bought-cameras" aria-label="Your cameras">
          {cameras.map((camera) => (
            <CameraTile
              key={camera.device_id}
              camera={camera}
              isNew={!before.cameras.includes(camera.device_id)}
              subscriptionId={unusedCount > 0 ? order.subscription_id : null}
            />
          ))}
        </ul>
      )}
      <div className="bought-steps">
        {unusedCount > 0 && coveredNow < cameras.length ? (
          <a className="btn btn-primary btn-lg" href={`/account/services/cover?plan=${order.subscription_id}`}>
            Choose cameras
          </a>
        ) : (
          <a className="btn btn-primary btn-lg" href="/live">
            {coveredNow > 1 ? `See your ${formatCameraCount(coveredNow)}` : 'See your cameras'}
          </a>
        )}
        {search && coveredNow > 0 && (
          <a className="btn btn-outline btn-lg" href="/events?search=">
            Search them
          </a>
        )}
        <small>Clips that were gone before today do not come back.</small>
      </div>
    </section>
  )
}

function ChangeRow({ icon, title, before, after }: { icon: ReactNode; title: string; before: string; after: string }) {
  return (
    <div>
      <dt>
        <span className="service-icon">{icon}</span>
        {title}
      </dt>
      <dd>
        {before !== after && (
          <>
            <span className="sr-only">Before: </span>
            <s>{before}</s>
            <ArrowRight size={16} aria-hidden="true" />
            <span className="sr-only">, now: </span>
          </>
        )}
        <b>{after}</b>
      </dd>
    </div>
  )
}
