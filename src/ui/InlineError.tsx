import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ActionFailure } from './use-action.ts'

/** Inline error of an action. Renders nothing if there is no failure, or if a toast shows the failure. */
export function InlineError({ failure }: { failure: ActionFailure | null }) {
  if (!failure?.inPlace) return null
  return (
    <p className="problem" role="alert">
      <CircleAlert size={18} aria-hidden="true" />
      {failure.text}
    </p>
  )
}
