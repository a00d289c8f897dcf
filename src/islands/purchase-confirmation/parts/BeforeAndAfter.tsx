import ArrowRight from 'lucide-react/icons/arrow-right'
import Cctv from 'lucide-react/icons/cctv'
import Film from 'lucide-react/icons/film'
import Search from 'lucide-react/icons/search'
import type { ReactNode } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Order } from '../../../../contract/billing/purchase.ts'
import { inCameras, inDays } from '../../../domain/copy/counts.ts'
import type { PurchaseConfirmation } from '../../../stores/billing/purchase-confirmation.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { CameraTile } from './CameraTile.tsx'

interface Props {
  order: Order
  before: PurchaseConfirmation['before']
  cameras: readonly Device[]
  /** Licenses without a camera. */
  free: number
}

/** Plan coverage before and after the purchase, the cameras, and the next step. */
export function Difference({ order, before, cameras, free }: Props) {
  const { keepsDays, search } = getPlan(order.sku)
  const was = cameras.filter(({ device_id }) => before.cameras.includes(device_id)).length
  const is = cameras.filter(({ covered }) => covered).length
  return (
    <section className="card bought-difference" aria-label="What is different now">
      <dl>
        <Change
          icon={<Cctv size={22} aria-hidden="true" />}
          title="Cameras covered"
          was={String(was)}
          is={String(is)}
        />
        <Change
          icon={<Film size={22} aria-hidden="true" />}
          title="Clips are kept"
          was={inDays(before.days)}
          is={inDays(keepsDays ?? before.days)}
        />
        {search && (
          <Change
            icon={<Search size={22} aria-hidden="true" />}
            title="Search looks at"
            was={inCameras(was)}
            is={inCameras(is)}
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
              subscriptionId={free > 0 ? order.subscription_id : null}
            />
          ))}
        </ul>
      )}
      <div className="bought-steps">
        {free > 0 && is < cameras.length ? (
          <a className="btn btn-primary btn-lg" href={`/account/services/cover?plan=${order.subscription_id}`}>
            Choose cameras
          </a>
        ) : (
          <a className="btn btn-primary btn-lg" href="/live">
            {is > 1 ? `See your ${inCameras(is)}` : 'See your cameras'}
          </a>
        )}
        {search && is > 0 && (
          <a className="btn btn-outline btn-lg" href="/events?search=">
            Search them
          </a>
        )}
        <small>Clips that were gone before today do not come back.</small>
      </div>
    </section>
  )
}

function Change({ icon, title, was, is }: { icon: ReactNode; title: string; was: string; is: string }) {
  return (
    <div>
      <dt>
        <span className="service-icon">{icon}</span>
        {title}
      </dt>
      <dd>
        {was !== is && (
          <>
            <span className="sr-only">Before: </span>
            <s>{was}</s>
            <ArrowRight size={16} aria-hidden="true" />
            <span className="sr-only">, now: </span>
          </>
        )}
        <b>{is}</b>
      </dd>
    </div>
  )
}
