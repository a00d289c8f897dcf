import { useStore } from '@nanostores/react'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import X from 'lucide-react/icons/x'
import { useCallback, useDeferredValue, useState } from 'react'
import { createFilterChips } from '../../../domain/events/filter-chips.ts'
import { VisitsToggle } from '../parts/VisitsToggle.tsx'
import { $eventFilter, changeFilter } from '../../../stores/events/event-url.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { createDeferredComponent } from '../../../ui/lazy-component.tsx'

const LazyFilterSheet = createDeferredComponent(async () => (await import('./FilterSheet.tsx')).FilterSheet)

export function PhoneFilters() {
  const filter = useStore($eventFilter)
  const deferredFilter = useDeferredValue(filter)
  const names = useStore($cameraNames)
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  // The open sheet covers the chips, so the list comes first.
  const chips = createFilterChips(isOpen ? deferredFilter : filter, names)
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
      {chips.map(({ label, without }) => (
        <button
          key={label}
          type="button"
          className="chip phone-chip"
          aria-label={`Remove filter: ${label}`}
          onClick={() => changeFilter(without)}
        >
          <span>{label}</span>
          <X size={18} aria-hidden />
        </button>
      ))}
      <VisitsToggle />
      {isOpen && <LazyFilterSheet props={{ onClose: close }} />}
    </>
  )
}
