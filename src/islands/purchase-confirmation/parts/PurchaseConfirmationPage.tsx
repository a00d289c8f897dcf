import { useStore } from '@nanostores/react'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { useEffect, useRef, type ReactNode } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import type { Order } from '../../../../contract/billing/purchase.ts'
import {
  invoiceLabel,
  purchaseSentence,
  purchaseTitle,
  nextChargeText,
  paidText,
} from '../../../domain/copy/purchase-confirmation.ts'
import { getInvoiceUrl } from '../../../domain/copy/invoice-status.ts'
import { methodName } from '../../../domain/copy/payment-methods.ts'
import { $paymentMethods, loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { reloadLicenses } from '../../../stores/billing/load-license-assignments.ts'
import { $subscriptionsWithUnusedLicenses } from '../../../stores/billing/license-assignments.ts'
import {
  $purchaseConfirmation,
  type PurchaseConfirmation,
  openPurchaseConfirmation,
} from '../../../stores/billing/purchase-confirmation.ts'
import { $devices } from '../../../stores/home/devices.ts'
import { BeforeAndAfter } from './BeforeAndAfter.tsx'

export function PurchaseConfirmationPage() {
  const confirmation = useStore($purchaseConfirmation, { ssr: 'initial' })
  useEffect(() => {
    if (openPurchaseConfirmation(Date.now())) void reloadLicenses()
    // The confirmation is shown only shortly after the purchase. Later, the services page shows the current plans.
    else location.replace('/account/services')
  }, [])
  return confirmation && <Confirmation confirmation={confirmation} />
}

function Confirmation({ confirmation: { order, before } }: { confirmation: PurchaseConfirmation }) {
  const devices = useStore($devices)
  const unused = useStore($subscriptionsWithUnusedLicenses)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const ownCameras = 'devices' in devices ? devices.devices.filter(({ user_role }) => user_role === OWNER_ROLE) : null
  const covered = ownCameras?.filter(({ covered }) => covered).length ?? 0
  const unusedCount =
    unused.find(({ subscription }) => subscription.subscription_id === order.subscription_id)?.unused ?? 0
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
            {purchaseTitle(order)}
          </h1>
          <p className="text-ink-2">
            {purchaseSentence(order, ownCameras && { covered, cameras: ownCameras.length, free: unusedCount })}
          </p>
        </div>
      </header>
      {isCameraPlan && !order.is_later && (
        <BeforeAndAfter order={order} before={before} cameras={ownCameras} unusedCount={unusedCount} />
      )}
      {(!isCameraPlan || order.is_later) && (
        <p className="bought-steps">
          <a className="btn btn-primary btn-lg" href="/live">
            View your cameras
          </a>
        </p>
      )}
      <PurchaseFacts order={order} />
    </>
  )
}

function PurchaseFacts({ order }: { order: Order }) {
  const { methods } = useStore($paymentMethods)
  const defaultMethod = methods.find(({ is_default }) => is_default)
  const next = nextChargeText(order, defaultMethod && methodName(defaultMethod))
  useEffect(() => void loadPaymentMethods(), [])
  return (
    <div className="bought-receipts">
      <PurchaseFact
        icon={<ReceiptText size={18} aria-hidden="true" />}
        title={paidText(order)}
        line={invoiceLabel(order)}
      >
        {order.bill !== '' && (
          <a className="text-action" aria-label={`Open invoice ${order.bill}`} href={getInvoiceUrl(order)}>
            Open
          </a>
        )}
      </PurchaseFact>
      <PurchaseFact icon={<CalendarClock size={18} aria-hidden="true" />} title={next.title} line={next.line} />
    </div>
  )
}

interface PurchaseFactProps {
  icon: ReactNode
  title: string
  line: string
  children?: ReactNode
}

function PurchaseFact({ icon, title, line, children }: PurchaseFactProps) {
  return (
    <section className="panel bought-receipt">
      <span className="row-icon">{icon}</span>
      <span className="row-text">
        <b>{title}</b>
        <small>{line}</small>
      </span>
      {children}
    </section>
  )
}
