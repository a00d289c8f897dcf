import { useStore } from '@nanostores/react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import UserRound from 'lucide-react/icons/user-round'
import { memo } from 'react'
import type { QuickRange } from '../../../domain/time/date-range.ts'
import { rangeLabel } from '../../../domain/time/list-date-formats.ts'
import { QUICK_TAGS } from '../../../domain/events/event-types.ts'
import { $selectedQuickRange } from '../../../stores/events/calendar.ts'
import { $eventFilter, changeFilter, toggleCamera, toggleTag } from '../../../stores/events/event-url.ts'
import { $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $peopleInEvents } from '../../../stores/events/events.ts'
import { $isFreeView } from '../../../stores/home/devices.ts'
import { CameraFilter } from '../../../ui/CameraFilter.tsx'
import { FilterMenu } from '../../../ui/FilterMenu.tsx'
import { LazyFilterBarActions, LazyDateFilter, LazyPeopleFilter, LazyTagsPanel } from './lazy-parts.tsx'
import { FILTER_END_SKELETON } from './skeletons.tsx'
import { QUICK_TAG_ICONS } from './quick-tag-icons.ts'

const QUICK_RANGES: readonly QuickRange[] = [14, 60]

/** Filters for days, cameras, event types and people; the URL stores all of them. */
export const FilterBar = memo(function FilterBar() {
  const isPaid = !useStore($isFreeView, { ssr: () => false })
  const selectedRange = useStore($selectedQuickRange)

  return (
    <>
      <div className="seg" role="group" aria-label="Days">
        {QUICK_RANGES.map((days) => (
          <button
            key={days}
            type="button"
            aria-pressed={selectedRange === days}
            onClick={() => changeFilter({ range: days })}
          >
            {days} days
          </button>
        ))}
      </div>
      <DatesFilter />
      <CamerasFilter />
      <span className="bg-line-strong mx-1 h-6 w-px flex-none max-lg:hidden" />
      <TagChips />
      <TagsFilter isPaid={isPaid} />
      <PeopleFilter />
      <LazyFilterBarActions props={{}} fallback={FILTER_END_SKELETON} />
    </>
  )
})

/** Chips of the most used tags. The other tags and the kinds are in the menu after them. */
function TagChips() {
  const { tags } = useStore($eventFilter)
  return QUICK_TAGS.map(({ id, name, icon }) => {
    const Icon = QUICK_TAG_ICONS[icon]
    return (
      <button key={id} type="button" className="chip" aria-pressed={tags.includes(id)} onClick={() => toggleTag(id)}>
        {Icon && <Icon size={16} aria-hidden />}
        {name}
      </button>
    )
  })
}

const PANEL_SKELETON = <div className="skeleton h-40 w-60" />

function DatesFilter() {
  const { range } = useStore($eventFilter)
  const isChosen = typeof range === 'object'
  const label = isChosen ? rangeLabel(range.start, range.end) : 'Dates'
  return (
    <FilterMenu name="dates" label={label} Icon={CalendarDays} isActive={isChosen}>
      {() => <LazyDateFilter props={{}} fallback={PANEL_SKELETON} />}
    </FilterMenu>
  )
}

function CamerasFilter() {
  const { cameras: chosen } = useStore($eventFilter)
  const cameras = useStore($eventCameras)
  return <CameraFilter cameras={cameras} selectedIds={chosen} onToggle={toggleCamera} />
}

/** Last of the filters, because the names arrive late and would move the filters after it. */
function PeopleFilter() {
  const names = useStore($peopleInEvents)
  const { people } = useStore($eventFilter)
  if (names.length + people.length === 0) return null
  const label = people.length === 0 ? 'People' : people.length === 1 ? (people[0] ?? '') : `${people.length} people`
  return (
    <FilterMenu name="people" label={label} Icon={UserRound} isActive={people.length > 0}>
      {() => <LazyPeopleFilter props={{}} fallback={PANEL_SKELETON} />}
    </FilterMenu>
  )
}

function TagsFilter({ isPaid }: { isPaid: boolean }) {
  const { tags, kinds, seen } = useStore($eventFilter)
  const otherTags = tags.filter((id) => !QUICK_TAGS.some((tag) => tag.id === id))
  const count = otherTags.length + kinds.length + (seen === null ? 0 : 1)
  return (
    <FilterMenu
      name="tags"
      label={count === 0 ? 'More' : `${count} more`}
      Icon={SlidersHorizontal}
      isActive={count > 0}
    >
      {() => <LazyTagsPanel props={{ isPaid }} fallback={PANEL_SKELETON} />}
    </FilterMenu>
  )
}
