import { useStore } from '@nanostores/react'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { useEffect, useRef, type ReactNode } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { OWNER } from '../../../../contract/auth/roles.ts'
import type { Order } from '../../../../contract/billing/purchase.ts'
import {
  invoiceLabel,
  boughtSentence,
  boughtTitle,
  nextChargeText,
  paidText,
} from '../../../domain/copy/purchase-confirmation.ts'
import { loadCoverage } from '../../../stores/billing/load-license-assignments.ts'
import { $unusedSubs } from '../../../stores/billing/license-assignments.ts'
import { $bought, type PurchaseConfirmation, openBought } from '../../../stores/billing/purchase-confirmation.ts'
import { $devices } from '../../../stores/home/devices.ts'
import { Difference } from './BeforeAndAfter.tsx'

export function BoughtPage() {
  const confirmation = useStore($bought, { ssr: 'initial' })
  useEffect(() => {
    if (openBought(Date.now())) void loadCoverage()
    // The confirmation is shown only shortly after the purchase. Later, the services page shows the current plans.
    else location.replace('/account/services')
  }, [])
  return confirmation && <Shown bought={confirmation} />
}

function Shown({ bought: { order, before } }: { bought: PurchaseConfirmation }) {
  const devices = useStore($devices)
  const unused = useStore($unusedSubs)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const own = 'devices' in devices ? devices.devices.filter(({ user_role }) => user_role === OWNER) : []
  const covered = own.filter(({ covered }) => covered).length
  const free = unused.find(({ subscription }) => subscription.subscription_id === order.subscription_id)?.unused ?? 0
  const isCameraPlan = getPlan(order.sku).tier !== null
  return (
    <>
      <header className="bought-head">
        <span className="glow">
          <svg width="44" height="44" viewBox="0 0 32 32" aria-hidden="true">
            <use href="#porch-logo" />
          </svg>
        </span>
        <div>
          <h1 ref={title} tabIndex={-1}>
            {boughtTitle(order)}
          </h1>
          <p className="text-ink-2">{boughtSentence(order, { covered, cameras: own.length, free })}</p>
        </div>
      </header>
      {isCameraPlan && !order.is_later && <Difference order={order} before={before} cameras={own} free={free} />}
      {(!isCameraPlan || order.is_later) && (
        <p className="bought-steps">
          <a className="btn btn-primary btn-lg" href="/live">
            See your cameras
          </a>
        </p>
      )}
      <Receipts order={order} />
    </>
  )
}

function Receipts({ order }: { order: Order }) {
  const next = nextChargeText(order)
  return (
    <div className="bought-receipts">
      <Receipt icon={<ReceiptText size={18} aria-hidden="true" />} title={paidText(order)} line={invoiceLabel(order)} />
      <Receipt icon={<CalendarClock size={18} aria-hidden="true" />} title={next.title} line={next.line} />
    </div>
  )
}

function Receipt({ icon, title, line }: { icon: ReactNode; title: string; line: string }) {
  return (
    <section className="panel bought-receipt">
      <span className="row-icon">{icon}</span>
      <span className="row-text">
        <b>{title}</b>
        <small>{line}</small>
      </span>
    </section>
  )
}
