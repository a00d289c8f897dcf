import { useStore } from '@nanostores/react'
import { SORTS } from '../../../domain/search/search-request.ts'
import { $address } from '../../../stores/events/event-url.ts'
import { chooseSort } from '../../../stores/search/search-url.ts'
import { getSort } from '../../../stores/search/search-settings.ts'

const NAMES = { best: 'Best', newest: 'Newest', oldest: 'Oldest' } as const

export function SortChoice() {
  const chosen = getSort(useStore($address))
  return (
    <div className="seg" role="group" aria-label="Sort by">
      {SORTS.map((sort) => (
        <button key={sort} type="button" aria-pressed={sort === chosen} onClick={() => chooseSort(sort)}>
          {NAMES[sort]}
        </button>
      ))}
    </div>
  )
}
