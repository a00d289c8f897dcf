import { useStore } from '@nanostores/react'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { createFilterChips } from '../../../domain/events/filter-chips.ts'
import { QUICK_TAGS } from '../../../domain/events/event-types.ts'
import { getTagIcon } from '../parts/tag-icons.ts'
import { $eventFilter, changeFilter } from '../../../stores/events/event-url.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { createDeferredComponent } from '../../../ui/lazy-component.tsx'

const LazyFilterSheet = createDeferredComponent(async () => (await import('./FilterSheet.tsx')).FilterSheet)

export function PhoneFilters() {
  const filter = useStore($eventFilter)
  const names = useStore($cameraNames)
  const [isOpen, setOpen] = useState(false)
  const chips = createFilterChips(filter, names)
  return (
    <>
      <button
        type="button"
        className="chip phone-chip"
        aria-haspopup="dialog"
        data-on={chips.length > 0 || undefined}
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal size={18} aria-hidden />
        {chips.length === 0 ? 'Filters' : `Filters · ${chips.length}`}
      </button>
      {chips.length === 0 && <QuickTagChips />}
      {chips.map(({ label, without }) => (
        <button
          key={label}
          type="button"
          className="chip phone-chip"
          aria-label={`Without ${label}`}
          onClick={() => changeFilter(without)}
        >
          <span>{label}</span>
          <X size={18} aria-hidden />
        </button>
      ))}
      {isOpen && <LazyFilterSheet props={{ onClose: () => setOpen(false) }} />}
    </>
  )
}

/** Number of tags that fit beside the filter button at 390 px. */
const PHONE_QUICK_TAGS = 2

function QuickTagChips() {
  return QUICK_TAGS.slice(0, PHONE_QUICK_TAGS).map(({ id, name, icon }) => {
    const Icon = getTagIcon(icon)
    return (
      <button
        key={id}
        type="button"
        className="chip phone-chip"
        aria-pressed={false}
        onClick={() => changeFilter({ tags: [id] })}
      >
        <Icon size={18} aria-hidden />
        {name}
      </button>
    )
  })
}
