import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ActionFailure } from './use-action.ts'

/** What went wrong, in the place that asked; nothing where nothing did, or a toast says it. */
export function Problem({ failure }: { failure: ActionFailure | null }) {
  if (!failure?.inPlace) return null
  return (
    <p className="problem" role="alert">
      <CircleAlert size={18} aria-hidden="true" />
      {failure.text}
    </p>
  )
}
