import { useStore } from '@nanostores/react'
import Clock from 'lucide-react/icons/clock'
import X from 'lucide-react/icons/x'
import type { QueryTime } from '../../../../contract/search/query-time/query-time.ts'
import { queryTimeText } from '../../../domain/search/query-time.ts'
import { $search } from '../../../stores/search/search.ts'
import { submitQuery } from '../../../stores/search/search-url.ts'
import { useNow } from '../../../ui/use-now.ts'
import { focusMain } from './focus-main.ts'

/** Returns the query time; null if there is no query, or if the query names no time. */
export function useQueryTime(): QueryTime | null {
  const search = useStore($search)
  return search.state === 'idle' ? null : search.time
}

/** Chip with the time that the query names. Removing the chip searches for the rest of the query. */
export function QueryTimeChip() {
  const time = useQueryTime()
  const now = useNow()
  if (!time) return null
  const label = queryTimeText(time, now)
  return (
    <button
      type="button"
      className="chip search-time"
      aria-pressed
      aria-label={`Remove time: ${label}`}
      title={label}
      onClick={(press) => {
        focusMain(press.currentTarget)
        submitQuery(time.rest)
      }}
    >
      <Clock size={16} aria-hidden />
      <span>{label}</span>
      <X size={16} aria-hidden />
    </button>
  )
}
