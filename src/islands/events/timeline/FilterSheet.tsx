import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import { QUICK_TAGS } from '../../../domain/events/event-types.ts'
import { listOfferedKinds } from '../../../domain/events/offered-kinds.ts'
import { $eventFilter, changeFilter } from '../../../stores/events/event-url.ts'
import { $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $peopleInEvents, $filteredEvents, clearFilter } from '../../../stores/events/events.ts'
import { $isFreeView } from '../../../stores/home/devices.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useAfterPaint } from '../../../ui/use-after-paint.ts'
import { CameraChoices } from '../../../ui/CameraChoices.tsx'
import { toggleItem } from '../../../ui/toggle-item.ts'
import { DateFilter } from '../parts/DateFilter.tsx'
import { PeopleFilterList } from '../parts/PeopleFilter.tsx'
import { FILTER_KIND_LABELS } from '../parts/kind-labels.ts'
import { getTagIcon } from '../parts/tag-icons.ts'
import { TagsPanel } from '../parts/TagsPanel.tsx'

/** Filters on phones: common tags and tag kinds, cameras, people, days, then single tags. Changes apply immediately. */
export function FilterSheet({ onClose }: { onClose: () => void }) {
  const isPaid = !useStore($isFreeView)
  const filter = useStore($eventFilter)
  const cameras = useStore($eventCameras)
  const people = useStore($peopleInEvents)
  const events = useStore($filteredEvents)
  const isPainted = useAfterPaint()
  return (
    <Dialog title="Filters" onClose={onClose}>
      <div className="phone-sheet">
        <FilterSection name="Kinds" title="Event type">
          <TypeChips isPaid={isPaid} />
        </FilterSection>
        <FilterSection name="Cameras">
          <CameraChoices
            cameras={cameras}
            selectedIds={filter.cameras}
            onChange={(cameras) => changeFilter({ cameras })}
          />
        </FilterSection>
        {people.length + filter.people.length > 0 && (
          <FilterSection name="People">
            <PeopleFilterList />
          </FilterSection>
        )}
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
        <button type="button" className="btn btn-primary" onClick={onClose}>
          Show {eventCountLabel(events.length)}
        </button>
      </footer>
    </Dialog>
  )
}

function FilterSection({ name, title = name, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function TypeChips({ isPaid }: { isPaid: boolean }) {
  const { kinds, tags } = useStore($eventFilter)
  return (
    <div className="phone-kinds">
      {QUICK_TAGS.map(({ id, name, icon }) => {
        const Icon = getTagIcon(icon)
        return (
          <button
            key={id}
            type="button"
            className="chip phone-chip"
            aria-pressed={tags.includes(id)}
            onClick={() => changeFilter({ tags: toggleItem(tags, id) })}
          >
            <Icon size={18} aria-hidden />
            {name}
          </button>
        )
      })}
      {listOfferedKinds(isPaid).map((kind) => {
        const { name, Icon } = FILTER_KIND_LABELS[kind]
        return (
          <button
            key={kind}
            type="button"
            className="chip phone-chip"
            aria-pressed={kinds.includes(kind)}
            onClick={() => changeFilter({ kinds: toggleItem(kinds, kind) })}
          >
            <Icon size={18} aria-hidden />
            {name}
          </button>
        )
      })}
    </div>
  )
}

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
