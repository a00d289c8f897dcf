import ArrowRight from 'lucide-react/icons/arrow-right'
import Cctv from 'lucide-react/icons/cctv'
import Film from 'lucide-react/icons/film'
import Plus from 'lucide-react/icons/plus'
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
  /** Own cameras; null until the list has loaded. */
  cameras: readonly Device[] | null
  /** Licenses without a camera. */
  unusedCount: number
}

/** Number of covered cameras and retention before and after the purchase, the cameras, and the next step. */
export function BeforeAndAfter({ order, before, cameras: loadedCameras, unusedCount }: BeforeAndAfterProps) {
  const { keepsDays, search } = getPlan(order.sku)
  const cameras = loadedCameras ?? []
  if (loadedCameras?.length === 0) return <FirstCamera order={order} before={before} />
  const coveredBefore = cameras.filter(({ device_id }) => before.cameras.includes(device_id)).length
  const coveredNow = cameras.filter(({ covered }) => covered).length
  return (
    <section className="card bought-difference" aria-label="What changed">
      <dl>
        <ChangeRow
          icon={<Cctv size={22} aria-hidden="true" />}
          title="Cameras covered"
          before={String(coveredBefore)}
          after={String(coveredNow)}
        />
        <ChangeRow
          icon={<Film size={22} aria-hidden="true" />}
          title="Clips kept for"
          before={formatDayCount(before.days)}
          after={formatDayCount(keepsDays ?? before.days)}
        />
        {search && (
          <ChangeRow
            icon={<Search size={22} aria-hidden="true" />}
            title="Search covers"
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
            {coveredNow > 1 ? `View your ${formatCameraCount(coveredNow)}` : 'View your cameras'}
          </a>
        )}
        {search && coveredNow > 0 && (
          <a className="btn btn-outline btn-lg" href="/events?search=">
            Search your clips
          </a>
        )}
        <small>Clips already deleted can’t be restored.</small>
      </div>
    </section>
  )
}

/** Contents of the plan, and the first step for an account without cameras. */
function FirstCamera({ order: { sku, quantity }, before }: Pick<BeforeAndAfterProps, 'order' | 'before'>) {
  const { keepsDays, search, per } = getPlan(sku)
  return (
    <section className="card bought-difference" aria-label="What your plan includes">
      <dl>
        <ChangeRow
          icon={<Cctv size={22} aria-hidden="true" />}
          title="Covers"
          after={per === 'home' ? 'All cameras you add' : formatCameraCount(quantity)}
        />
        <ChangeRow
          icon={<Film size={22} aria-hidden="true" />}
          title="Clips kept for"
          after={formatDayCount(keepsDays ?? before.days)}
        />
        {search && <ChangeRow icon={<Search size={22} aria-hidden="true" />} title="Search" after="Included" />}
      </dl>
      <div className="bought-steps">
        <a className="btn btn-primary btn-lg" href="/live">
          <Plus size={18} aria-hidden="true" />
          Add your first camera
        </a>
        <small>Adding a camera takes about a minute.</small>
      </div>
    </section>
  )
}

interface ChangeRowProps {
  icon: ReactNode
  title: string
  /** Value before the purchase; omitted if only the current value is shown. */
  before?: string
  after: string
}

function ChangeRow({ icon, title, after, before = after }: ChangeRowProps) {
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
