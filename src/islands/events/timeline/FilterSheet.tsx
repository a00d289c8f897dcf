import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { countLabel } from '../../../domain/copy/event-labels.ts'
import { offeredKinds } from '../../../domain/events/event-types.ts'
import { $eventFilter, changeFilter } from '../../../stores/events/event-url.ts'
import { $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $people, $filteredEvents, clearFilter } from '../../../stores/events/events.ts'
import { $isFreeView } from '../../../stores/home/devices.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { usePainted } from '../../../ui/use-after-paint.ts'
import { CameraChoices } from '../../../ui/CameraFilter.tsx'
import { toggled } from '../../../ui/CheckRow.tsx'
import { Dates } from '../parts/DateFilter.tsx'
import { PeopleFilterList } from '../parts/PeopleFilter.tsx'
import { KINDS } from '../parts/tag-icons.ts'
import { TagsPanel } from '../parts/TagsPanel.tsx'

/** Filters on phones: tag kinds, cameras, people, days, then single tags. Changes apply immediately. */
export default function FilterSheet({ onClose }: { onClose: () => void }) {
  const isPaid = !useStore($isFreeView)
  const chosen = useStore($eventFilter)
  const cameras = useStore($eventCameras)
  const people = useStore($people)
  const events = useStore($filteredEvents)
  const isPainted = usePainted()
  return (
    <Dialog title="Filters" onClose={onClose}>
      <div className="phone-sheet">
        <Section name="Kinds" title="What happened">
          <KindChips isPaid={isPaid} />
        </Section>
        <Section name="Cameras">
          <CameraChoices cameras={cameras} chosen={chosen.cameras} onChange={(cameras) => changeFilter({ cameras })} />
        </Section>
        {people.length + chosen.people.length > 0 && (
          <Section name="People">
            <PeopleFilterList />
          </Section>
        )}
        <Section name="Dates">
          <DayChoice />
          <div className="phone-dates">{isPainted && <Dates />}</div>
        </Section>
        {isPainted && (
          <Section name="More">
            <TagsPanel isPaid={isPaid} />
          </Section>
        )}
      </div>
      <footer>
        <button type="button" className="btn btn-outline" onClick={clearFilter}>
          Clear
        </button>
        <button type="button" className="btn btn-primary" onClick={onClose}>
          Show {countLabel(events.length)}
        </button>
      </footer>
    </Dialog>
  )
}

function Section({ name, title = name, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function KindChips({ isPaid }: { isPaid: boolean }) {
  const { kinds } = useStore($eventFilter)
  return (
    <div className="phone-kinds">
      {offeredKinds(isPaid).map((kind) => {
        const { name, Icon } = KINDS[kind]
        return (
          <button
            key={kind}
            type="button"
            className="chip phone-chip"
            aria-pressed={kinds.includes(kind)}
            onClick={() => changeFilter({ kinds: toggled(kinds, kind) })}
          >
            <Icon size={18} aria-hidden />
            {name}
          </button>
        )
      })}
    </div>
  )
}

function DayChoice() {
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
