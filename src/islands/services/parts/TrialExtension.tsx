import { useStore } from '@nanostores/react'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import { useEffect } from 'react'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { extensionText } from '../../../domain/copy/subscription-status.ts'
import { $trialExtension, requestTrialExtension, loadTrialExtension } from '../../../stores/billing/cancellation.ts'
import { Button } from '../../../ui/Button.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'

/**
 * Hint with the end of the free trial, and a button that extends the trial while extra days are available. Renders
 * nothing until the extension of this subscription has loaded.
 */
export function TrialExtension({ subscription, now }: { subscription: Subscription; now: number }) {
  const extension = useStore($trialExtension)
  const { isBusy, failure, run } = useAction()
  useEffect(() => void loadTrialExtension(), [])
  if (extension?.subscription_id !== subscription.subscription_id) return null
  const hasExtensionLeft = extension.used < extension.maximum
  return (
    <div className="extension">
      <p className="hint-strip">
        <CalendarClock size={18} aria-hidden="true" />
        <span>{extensionText(extension, now)}</span>
      </p>
      {(hasExtensionLeft || failure) && (
        <Button
          kind="soft"
          size="sm"
          isBusy={isBusy}
          busyText="Extending…"
          onClick={() => void run(() => requestTrialExtension(subscription.subscription_id))}
        >
          Extend trial by 7 days
        </Button>
      )}
      <InlineError failure={failure} />
    </div>
  )
}
