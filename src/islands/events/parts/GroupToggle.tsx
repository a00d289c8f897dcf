import { useStore } from '@nanostores/react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { formatMoreLikeThis } from '../../../domain/copy/event-groups.ts'
import type { EventGroup } from '../../../domain/events/event-groups.ts'
import { $eventUrl } from '../../../stores/events/event-url.ts'
import { $selectedIds } from '../../../stores/events/event-selection.ts'
import { toggleGroup } from '../../../stores/events/event-groups.ts'

export function GroupToggle({ fold, isTabStop }: { fold: EventGroup; isTabStop: boolean }) {
  const selected = useStore($selectedIds)
  const openId = useStore($eventUrl).open?.eventId
  // Collapsing the group would hide the selected or playing event.
  const mustStayOpen = fold.isOpen && fold.ids.some((id) => id === openId || selected.has(id))
  return (
    <button
      type="button"
      data-fold
      aria-expanded={fold.isOpen}
      disabled={mustStayOpen}
      tabIndex={isTabStop ? 0 : -1}
      className="fold-button"
      onClick={() => toggleGroup(fold)}
    >
      {fold.hasUnseen && !fold.isOpen && <span className="dot text-primary" />}
      {formatMoreLikeThis(fold.ids.length)}
      <ChevronDown size={14} aria-hidden />
    </button>
  )
}
