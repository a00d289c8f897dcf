import { useStore } from '@nanostores/react'
import { countLabel } from '../../../domain/event-labels.ts'
import { offeredKinds } from '../../../domain/event-types.ts'
import { $filter, changeFilter } from '../../../stores/events/event-address.ts'
import { $people, $shown, clearFilter } from '../../../stores/events/events.ts'
import { $isFreeView } from '../../../stores/home/devices.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { usePainted } from '../../../ui/use-painted.ts'
import { CameraChoices } from '../parts/CameraFilter.tsx'
import { toggled } from '../parts/CheckRow.tsx'
import { DatesPanel } from '../parts/DatesPanel.tsx'
import { PeoplePanel } from '../parts/PeoplePanel.tsx'
import { KINDS } from '../parts/tag-icons.ts'
import { TagsPanel } from '../parts/TagsPanel.tsx'

/** All filters of a phone: kinds, cameras, people, days. What is chosen is applied at once. */
export default function FilterSheet({ onClose }: { onClose: () => void }) {
  const filter = useStore($filter)
  const isPaid = !useStore($isFreeView)
  const people = useStore($people)
  const shown = useStore($shown)
  const isPainted = usePainted()
  return (
    <Dialog title="Filters" onClose={onClose}>
      <div className="phone-sheet">
        <section aria-label="Kinds">
          <h3>What happened</h3>
          <div className="phone-kinds">
            {offeredKinds(isPaid).map((kind) => {
              const { name, Icon } = KINDS[kind]
              return (
                <button
                  key={kind}
                  type="button"
                  className="chip phone-chip"
                  aria-pressed={filter.kinds.includes(kind)}
                  onClick={() => changeFilter({ kinds: toggled(filter.kinds, kind) })}
                >
                  <Icon size={18} aria-hidden />
                  {name}
                </button>
              )
            })}
          </div>
          <TagsPanel isPaid={isPaid} />
        </section>
        <section aria-label="Cameras">
          <h3>Cameras</h3>
          <CameraChoices />
        </section>
        {people.length + filter.people.length > 0 && (
          <section aria-label="People">
            <h3>People</h3>
            <PeoplePanel names={people} />
          </section>
        )}
        <section aria-label="Dates">
          <h3>Dates</h3>
          <div className="seg" role="group" aria-label="Days">
            {([14, 60] as const).map((days) => (
              <button
                key={days}
                type="button"
                aria-pressed={filter.range === days}
                onClick={() => changeFilter({ range: days })}
              >
                {days} days
              </button>
            ))}
          </div>
          <div className="phone-dates">{isPainted && <DatesPanel />}</div>
        </section>
      </div>
      <footer>
        <button type="button" className="btn btn-outline" onClick={clearFilter}>
          Clear
        </button>
        <button type="button" className="btn btn-primary" onClick={onClose}>
          Show {countLabel(shown.length)}
        </button>
      </footer>
    </Dialog>
  )
}
