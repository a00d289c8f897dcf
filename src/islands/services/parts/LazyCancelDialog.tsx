import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useState } from 'react'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { $planBeingCanceled, closeCancellation } from '../../../stores/billing/cancellation-step.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from '../cancel/cancel.css?url'

type CancelDialogComponent = ComponentType<{ subscription: Subscription; reason: string }>

/** Loads script and styles of the dialog. Rejects on failure; the next call retries. */
async function loadDialog(): Promise<CancelDialogComponent> {
  const [module] = await Promise.all([import('../cancel/CancelDialog.tsx'), addStyleSheet(styles)])
  return module.CancelDialog
}

const LOAD_FAILED_TEXT = 'This dialog could not be opened. Nothing has changed on your account. Try again in a moment.'

/** Cancel dialog. Its script loads when the dialog first opens. */
export function LazyCancelDialog({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const open = useStore($planBeingCanceled)
  const [Dialog, setDialog] = useState<CancelDialogComponent | null>(null)
  const needsLoading = open !== null && Dialog === null
  useEffect(() => {
    if (!needsLoading) return
    loadDialog().then(
      (loaded) => setDialog(() => loaded),
      () => {
        closeCancellation()
        showToast('error', LOAD_FAILED_TEXT)
      },
    )
  }, [needsLoading])
  const subscription = subscriptions.find(({ subscription_id }) => subscription_id === open?.id)
  return open && Dialog && subscription ? <Dialog subscription={subscription} reason={open.reason} /> : null
}
