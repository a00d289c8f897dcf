import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ActionFailure } from './use-action.ts'

/** In-place error of an action. Renders nothing if there is no failure, or if a toast shows it. */
export function Problem({ failure }: { failure: ActionFailure | null }) {
  if (!failure?.inPlace) return null
  return (
    <p className="problem" role="alert">
      <CircleAlert size={18} aria-hidden="true" />
      {failure.text}
    </p>
  )
}
