import type { LucideIcon } from 'lucide-react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, type ToggleEvent, useId, useState } from 'react'

export interface FilterMenuProps {
  /** Part of the CSS classes by which filter-menu.css anchors the menu to its button. */
  readonly name: 'dates' | 'cameras' | 'tags' | 'people'
  readonly label: string
  readonly Icon: LucideIcon
  readonly isActive: boolean
  readonly children: () => ReactNode
}

const ACTIVE_CLASSES = 'border-primary-line! bg-primary-soft! text-primary-ink!'

export function FilterMenu({ name, label, Icon, isActive, children }: FilterMenuProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={`chip anchor-${name} ${isActive ? ACTIVE_CLASSES : ''}`}
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
      >
        <Icon size={16} aria-hidden />
        {label}
        <ChevronDown size={16} aria-hidden />
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={`filter-menu menu-${name} border-line bg-surface text-ink shadow-menu rounded-[18px] border p-2`}
        onToggle={(toggle: ToggleEvent<HTMLDivElement>) => setOpen(toggle.newState === 'open')}
      >
        {isOpen && children()}
      </div>
    </>
  )
}
