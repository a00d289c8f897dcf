import { memo, type ReactNode } from 'react'

export function CheckRow({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean
  readonly onChange: () => void
  readonly children: ReactNode
}) {
  return (
    <label className="hover:bg-sunken flex h-11 min-w-52 cursor-pointer items-center gap-3 rounded-[10px] px-2.5 font-bold">
      <input type="checkbox" className="accent-primary size-[18px]" checked={checked} onChange={onChange} />
      {children}
    </label>
  )
}

interface ChoiceRowProps {
  readonly id: string
  readonly name: string
  readonly isSelected: boolean
  /** The same function in each render, so that a change renders one row of the list. */
  readonly onToggle: (id: string) => void
}

/** Memoized row of a list of choices. */
export const ChoiceRow = memo(function ChoiceRow({ id, name, isSelected, onToggle }: ChoiceRowProps) {
  return (
    <CheckRow checked={isSelected} onChange={() => onToggle(id)}>
      {name}
    </CheckRow>
  )
})
