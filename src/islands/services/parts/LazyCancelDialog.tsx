import { useStore } from '@nanostores/react'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { $planBeingCanceled, closeCancellation } from '../../../stores/billing/cancellation-step.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { createDeferredComponent } from '../../../ui/lazy-component.tsx'
import styles from '../cancel/cancel.css?url'

const LOAD_FAILED_TEXT =
  'We couldn’t load the cancellation details. Nothing has changed on your account. Try again shortly.'

const DeferredDialog = createDeferredComponent(async () => (await import('../cancel/CancelDialog.tsx')).CancelDialog, {
  styles,
  onFail: () => {
    closeCancellation()
    showToast('error', LOAD_FAILED_TEXT)
  },
})

/** Cancel dialog. Its script loads when the dialog first opens. */
export function LazyCancelDialog({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const open = useStore($planBeingCanceled)
  const subscription = subscriptions.find(({ subscription_id }) => subscription_id === open?.id)
  return open && subscription ? <DeferredDialog props={{ subscription, reason: open.reason }} /> : null
}
