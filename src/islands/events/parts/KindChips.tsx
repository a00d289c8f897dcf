import { useStore } from '@nanostores/react'
import { listOfferedKinds } from '../../../domain/events/offered-kinds.ts'
import { $eventFilter, changeFilter } from '../../../stores/events/event-url.ts'
import { toggleItem } from '../../../domain/toggle-item.ts'
import { FILTER_KIND_LABELS } from './kind-labels.ts'

/** Chips that filter by all tags of a kind: motion, sound or face. */
export function KindChips({ isPaid }: { isPaid: boolean }) {
  const { kinds } = useStore($eventFilter)
  return (
    <div className="m-1 flex flex-wrap gap-2" role="group" aria-label="Kinds">
      {listOfferedKinds(isPaid).map((kind) => {
        const { name, Icon } = FILTER_KIND_LABELS[kind]
        return (
          <button
            key={kind}
            type="button"
            className="chip"
            aria-pressed={kinds.includes(kind)}
            onClick={() => changeFilter({ kinds: toggleItem(kinds, kind) })}
          >
            <Icon size={16} aria-hidden />
            {name}
          </button>
        )
      })}
    </div>
  )
}
