import { useStore } from '@nanostores/react'
import type { QuickRange } from '../../../domain/date-range.ts'
import { type FilterKind, offeredKinds } from '../../../domain/event-types.ts'
import { rangeLabel } from '../../../domain/event-labels.ts'
import { $address, changeFilter } from '../../../stores/event-address.ts'
import { clearFilter } from '../../../stores/events.ts'
import { $isNoServices } from '../../../stores/subscriptions.ts'
import { CameraFilter } from './CameraFilter.tsx'
import { KINDS } from './tag-icons.ts'

const RANGES: readonly QuickRange[] = [14, 60]

/** Which days, cameras and kinds of events the page shows; all of it stands in the address. */
export function FilterBar() {
  const { range, cameras, kinds } = useStore($address).filter
  const isPaid = !useStore($isNoServices, { ssr: () => false })
  const isFiltered = cameras.length > 0 || kinds.length > 0 || range !== 14

  const toggle = (kind: FilterKind) =>
    changeFilter({ kinds: kinds.includes(kind) ? kinds.filter((other) => other !== kind) : [...kinds, kind] })

  return (
    <>
      <div className="seg" role="group" aria-label="Days">
        {RANGES.map((days) => (
          <button key={days} type="button" aria-pressed={range === days} onClick={() => changeFilter({ range: days })}>
            {days} days
          </button>
        ))}
        {typeof range === 'object' && (
          <button type="button" aria-pressed="true">
            {rangeLabel(range.start, range.end)}
          </button>
        )}
      </div>
      <CameraFilter />
      <span className="bg-line-strong mx-1 h-6 w-px flex-none max-md:hidden" />
      {offeredKinds(isPaid).map((kind) => {
        const { name, Icon } = KINDS[kind]
        return (
          <button
            key={kind}
            type="button"
            className="chip"
            aria-pressed={kinds.includes(kind)}
            onClick={() => toggle(kind)}
          >
            <Icon size={16} aria-hidden />
            {name}
          </button>
        )
      })}
      {isFiltered && (
        <button type="button" className="btn btn-sm text-primary-ink ml-auto" onClick={clearFilter}>
          Clear
        </button>
      )}
    </>
  )
}
