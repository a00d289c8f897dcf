import { useStore } from '@nanostores/react'
import { SEARCH_SORTS } from '../../../domain/search/search-request.ts'
import { $eventUrl } from '../../../stores/events/event-url.ts'
import { setSearchSort } from '../../../stores/search/search-url.ts'
import { getSearchSort } from '../../../stores/search/search-settings.ts'

const SORT_NAMES = { best: 'Best', newest: 'Newest', oldest: 'Oldest' } as const

export function SortChoice() {
  const chosen = getSearchSort(useStore($eventUrl))
  return (
    <div className="seg" role="group" aria-label="Sort by">
      {SEARCH_SORTS.map((sort) => (
        <button key={sort} type="button" aria-pressed={sort === chosen} onClick={() => setSearchSort(sort)}>
          {SORT_NAMES[sort]}
        </button>
      ))}
    </div>
  )
}
