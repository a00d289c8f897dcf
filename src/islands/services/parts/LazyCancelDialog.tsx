import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useState } from 'react'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { $leavingPlan, closeLeaving } from '../../../stores/billing/cancellation-step.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from '../cancel/cancel.css?url'

type Dialog = ComponentType<{ subscription: Subscription; reason: string }>

/** Loads script and styles of the dialog. Rejects on failure; the next call retries. */
async function loadDialog(): Promise<Dialog> {
  const [module] = await Promise.all([import('../cancel/CancelDialog.tsx'), addStyleSheet(styles)])
  return module.LeaveDialog
}

const NOT_OPENED = 'This dialog could not be opened. Nothing has changed on your account. Try again in a moment.'

/** Cancel dialog, loaded when it first opens. */
export function Leave({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const open = useStore($leavingPlan)
  const [Dialog, setDialog] = useState<Dialog | null>(null)
  const isWanted = open !== null && Dialog === null
  useEffect(() => {
    if (!isWanted) return
    loadDialog().then(
      (loaded) => setDialog(() => loaded),
      () => {
        closeLeaving()
        showToast('error', NOT_OPENED)
      },
    )
  }, [isWanted])
  const subscription = subscriptions.find(({ subscription_id }) => subscription_id === open?.id)
  return open && Dialog && subscription ? <Dialog subscription={subscription} reason={open.reason} /> : null
}
