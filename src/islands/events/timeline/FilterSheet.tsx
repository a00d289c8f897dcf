import { useStore } from '@nanostores/react'
import type { LucideIcon } from 'lucide-react'
import { memo, type ReactNode, useEffect, useState } from 'react'
import type { TagId } from '../../../../contract/events/event-tags.ts'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import { type FilterKind, isFilterKind, QUICK_TAGS } from '../../../domain/events/event-types.ts'
import { listOfferedKinds } from '../../../domain/events/offered-kinds.ts'
import { $eventFilter, changeFilter, toggleCamera, toggleTag } from '../../../stores/events/event-url.ts'
import { $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $peopleInEvents, $filteredEvents, $isFilterSheetOpen, clearFilter } from '../../../stores/events/events.ts'
import { $isFreeView } from '../../../stores/home/devices.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { runAfterPaint, useAfterPaint } from '../../../ui/use-after-paint.ts'
import { CameraChoices } from '../../../ui/CameraChoices.tsx'
import { toggleItem } from '../../../domain/toggle-item.ts'
import { DateFilter } from '../parts/DateFilter.tsx'
import { PeopleFilterList } from '../parts/PeopleFilter.tsx'
import { FILTER_KIND_LABELS } from '../parts/kind-labels.ts'
import { getTagIcon } from '../parts/tag-icons.ts'
import { TagsPanel } from '../parts/TagsPanel.tsx'

interface FilterSheetProps {
  readonly onClose: () => void
}

/**
 * Filters on phones: common tags and tag kinds, cameras, people, days, then single tags. Changes apply immediately. Each
 * section subscribes to what it shows, so that a change renders only a few rows before the list is painted. Calls
 * `onClose` after the page without the sheet is painted.
 */
export const FilterSheet = memo(function FilterSheet({ onClose }: FilterSheetProps) {
  const isPaid = !useStore($isFreeView)
  const isPainted = useAfterPaint()
  const [isHidden, setHidden] = useState(false)
  const hide = () => setHidden(true)
  // Closing a modal dialog computes the styles of the whole page, so the page is painted without the sheet first.
  useEffect(() => (isHidden ? runAfterPaint(onClose) : undefined), [isHidden, onClose])
  useEffect(() => {
    $isFilterSheetOpen.set(true)
    return () => $isFilterSheetOpen.set(false)
  }, [])
  return (
    <Dialog title="Filters" isHidden={isHidden} onClose={hide}>
      <div className="phone-sheet">
        <FilterSection name="Kinds" title="Event type">
          <TypeChips isPaid={isPaid} />
        </FilterSection>
        <FilterSection name="Cameras">
          <SheetCameras />
        </FilterSection>
        <SheetPeople />
        <FilterSection name="Dates">
          <DayRangeChoice />
          <div className="phone-dates">{isPainted && <DateFilter />}</div>
        </FilterSection>
        {isPainted && (
          <FilterSection name="More">
            <TagsPanel isPaid={isPaid} withKinds={false} />
          </FilterSection>
        )}
      </div>
      <footer>
        <button type="button" className="btn btn-outline" onClick={clearFilter}>
          Clear
        </button>
        <button type="button" className="btn btn-primary" onClick={hide}>
          Show <EventCount />
        </button>
      </footer>
    </Dialog>
  )
})

const EventCount = () => eventCountLabel(useStore($filteredEvents).length)

function FilterSection({ name, title = name, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function SheetCameras() {
  const { cameras: selectedIds } = useStore($eventFilter)
  const cameras = useStore($eventCameras)
  return <CameraChoices cameras={cameras} selectedIds={selectedIds} onToggle={toggleCamera} />
}

function SheetPeople() {
  const names = useStore($peopleInEvents)
  const { people } = useStore($eventFilter)
  if (names.length + people.length === 0) return null
  return (
    <FilterSection name="People">
      <PeopleFilterList />
    </FilterSection>
  )
}

function TypeChips({ isPaid }: { isPaid: boolean }) {
  const { kinds, tags } = useStore($eventFilter)
  return (
    <div className="phone-kinds">
      {QUICK_TAGS.map(({ id, name, icon }) => (
        <TypeChip key={id} id={id} name={name} Icon={getTagIcon(icon)} isPressed={tags.includes(id)} />
      ))}
      {listOfferedKinds(isPaid).map((kind) => (
        <TypeChip key={kind} id={kind} {...FILTER_KIND_LABELS[kind]} isPressed={kinds.includes(kind)} />
      ))}
    </div>
  )
}

interface TypeChipProps {
  readonly id: TagId | FilterKind
  readonly name: string
  readonly Icon: LucideIcon
  readonly isPressed: boolean
}

const TypeChip = memo(function TypeChip({ id, name, Icon, isPressed }: TypeChipProps) {
  return (
    <button
      type="button"
      className="chip phone-chip"
      aria-pressed={isPressed}
      onClick={() => (isFilterKind(id) ? toggleKind(id) : toggleTag(id))}
    >
      <Icon size={18} aria-hidden />
      {name}
    </button>
  )
})

const toggleKind = (kind: FilterKind) => changeFilter({ kinds: toggleItem($eventFilter.get().kinds, kind) })

function DayRangeChoice() {
  const { range } = useStore($eventFilter)
  return (
    <div className="seg" role="group" aria-label="Days">
      {([14, 60] as const).map((days) => (
        <button key={days} type="button" aria-pressed={range === days} onClick={() => changeFilter({ range: days })}>
          {days} days
        </button>
      ))}
    </div>
  )
}
