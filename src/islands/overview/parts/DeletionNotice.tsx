import { useStore } from '@nanostores/react'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect } from 'react'
import { $accountDeletionTime, loadAccountDeletion } from '../../../stores/account/account-deletion.ts'
import { fullDayLabel } from '../../../domain/time/date-formats.ts'

/** Date on which the account will be deleted; empty if no deletion is scheduled. */
export function DeletionNotice() {
  const at = useStore($accountDeletionTime)
  useEffect(() => void loadAccountDeletion(), [])
  if (at === null) return null
  const day = fullDayLabel(at)
  return (
    <>
      <TriangleAlert size={18} aria-hidden="true" />
      <p className="leave-words">
        <b>Your account will be deleted on {day}.</b> Until then, you can download your data or undo the deletion.
      </p>
    </>
  )
}
