import { useStore } from '@nanostores/react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { moreLikeThis } from '../../../domain/copy/event-groups.ts'
import type { Fold } from '../../../domain/events/event-groups.ts'
import { $address } from '../../../stores/events/event-url.ts'
import { $selectedIds } from '../../../stores/events/event-selection.ts'
import { toggleFold } from '../../../stores/events/event-groups.ts'

export function FoldButton({ fold, isTabStop }: { fold: Fold; isTabStop: boolean }) {
  const selected = useStore($selectedIds)
  const openId = useStore($address).open?.eventId
  // True if the group must stay open, because collapsing it would hide the selected or playing event.
  const isHeld = fold.isOpen && fold.ids.some((id) => id === openId || selected.has(id))
  return (
    <button
      type="button"
      data-fold
      aria-expanded={fold.isOpen}
      disabled={isHeld}
      tabIndex={isTabStop ? 0 : -1}
      className="fold-button"
      onClick={() => toggleFold(fold)}
    >
      {fold.hasUnseen && !fold.isOpen && <span className="dot text-primary" />}
      {moreLikeThis(fold.ids.length)}
      <ChevronDown size={14} aria-hidden />
    </button>
  )
}
