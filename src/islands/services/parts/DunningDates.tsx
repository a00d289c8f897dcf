import Check from 'lucide-react/icons/check'
import Pause from 'lucide-react/icons/pause'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash2 from 'lucide-react/icons/trash-2'
import type { DunningDate } from '../../../domain/copy/open-invoice.ts'

const DUNNING_ICONS = { now: Check, next: RefreshCw, last: Pause, gone: Trash2 } as const

export function DunningDates({ dates }: { dates: readonly DunningDate[] }) {
  return (
    <ol className="moments" aria-label="What happens next">
      {dates.map(({ kind, title, day, note }) => {
        const Icon = DUNNING_ICONS[kind]
        return (
          <li key={kind} data-kind={kind}>
            <span className="moment-icon">
              <Icon size={16} aria-hidden="true" />
            </span>
            <b>{title}</b>
            <b>{day}</b>
            <small>{note}</small>
          </li>
        )
      })}
    </ol>
  )
}
