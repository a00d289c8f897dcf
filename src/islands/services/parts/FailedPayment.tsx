import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Pause from 'lucide-react/icons/pause'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash2 from 'lucide-react/icons/trash-2'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { type DunningDate, listDunningDates, failureReasonText, retryText } from '../../../domain/copy/open-invoice.ts'
import { methodName } from '../../../domain/copy/payment-methods.ts'
import { $bankPage, payOpenAmount } from '../../../stores/billing/cancellation.ts'
import { navigateToCardPage } from '../../../stores/billing/choose-payment-method.ts'
import { $paymentMethods } from '../../../stores/billing/payment-methods.ts'
import { $selectedPayment } from '../../../stores/billing/selected-payment-method.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { BankLink } from '../../../ui/BankLink.tsx'
import { Button } from '../../../ui/Button.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { focusCard } from './focus-card.ts'

interface FailedPaymentProps {
  subscription: Subscription
  open: NonNullable<Subscription['open']>
  /** Current time by the plan's test clock, ms UTC. */
  now: number
}

/** Failed charge: reason, attempts, deadline, and buttons that pay it. */
export function FailedPayment({ subscription, open, now }: FailedPaymentProps) {
  return (
    <>
      <p className="hint-strip" data-tone="error">
        <CircleAlert size={20} aria-hidden="true" />
        <span>
          <b className="block">{failureReasonText(open)}</b>
          {retryText(subscription, now)}
        </span>
      </p>
      <PaymentOptions subscription={subscription} open={open} />
      <DunningDates dates={listDunningDates(subscription, now)} />
    </>
  )
}

/** Returns true if the charge failed with this method. If the failed method is unknown, assumes the default method. */
function isFailedMethod(candidate: PaymentMethod, { method }: FailedPaymentProps['open']): boolean {
  if (method === null) return candidate.is_default
  return candidate.brand === method.brand && candidate.last_four === method.last_four && candidate.name === method.name
}

function findOtherMethod(
  methods: readonly PaymentMethod[],
  openInvoice: FailedPaymentProps['open'],
  chosen: string | undefined,
) {
  const others = methods.filter((candidate) => candidate.state !== 'ended' && !isFailedMethod(candidate, openInvoice))
  return (
    others.find(({ method_id }) => method_id === chosen) ??
    others.find((candidate) => candidate.is_default) ??
    others[0]
  )
}

function PaymentOptions({ subscription, open }: Omit<FailedPaymentProps, 'now'>) {
  const { methods, isLoaded, balance } = useStore($paymentMethods)
  const chosen = useStore($selectedPayment)
  const { isBusy, failure, run } = useAction()
  const cardPage = useAction()
  const bankPage = useStore($bankPage)
  const other = findOtherMethod(methods, open, chosen?.id)
  const failedMethod = methods.find((candidate) => candidate.state !== 'ended' && isFailedMethod(candidate, open))
  const pay = async ({ method_id }: PaymentMethod) => {
    if (!(await run(() => payOpenAmount(subscription, method_id)))) return
    focusCard(subscription.subscription_id)
    showToast('success', 'It is paid. Everything goes on.')
  }
  if (!isLoaded) return null
  const fromBalance = Math.min(balance, open.total)
  return (
    <div className="open-ways">
      {other && (
        <Button isBusy={isBusy} busyText="Paying" onClick={() => void pay(other)}>
          Pay {formatMoney(open.total - fromBalance)} with {methodName(other)}
        </Button>
      )}
      <Button
        kind={other ? 'outline' : 'primary'}
        isBusy={cardPage.isBusy}
        busyText="Opening"
        onClick={() => void cardPage.run(() => navigateToCardPage('/account/services', {}))}
      >
        {other ? 'Use another method' : 'Add a method'}
      </Button>
      {!other && failedMethod && (
        <Button kind="outline" isBusy={isBusy} busyText="Paying" onClick={() => void pay(failedMethod)}>
          Try {methodName(failedMethod)} again
        </Button>
      )}
      {fromBalance > 0 && (
        <p className="text-small text-ink-2">
          Your balance pays {formatMoney(fromBalance)} of {formatMoney(open.total)}.
        </p>
      )}
      {isBusy && bankPage !== null && (
        <p className="hint-strip" role="status">
          <span>
            Your bank wants to ask you. Nothing is charged until you have answered; this page continues automatically
            then.
          </span>
          <BankLink url={bankPage} />
        </p>
      )}
      <InlineError failure={failure} />
    </div>
  )
}

const DUNNING_ICONS = { now: Check, next: RefreshCw, last: Pause, gone: Trash2 } as const

function DunningDates({ dates }: { dates: readonly DunningDate[] }) {
  return (
    <ol className="moments" aria-label="What happens when">
      {dates.map(({ kind, title, day, note }) => {
        const Icon = DUNNING_ICONS[kind]
        return (
          <li key={kind} data-kind={kind}>
            <span className="moment-icon">
              <Icon size={16} aria-hidden="true" />
            </span>
            <b>{title}</b>
            <b>{day}</b>
            <small>{note}</small>
          </li>
        )
      })}
    </ol>
  )
}
