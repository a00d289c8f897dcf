import { CheckRow } from './CheckRow.tsx'
import { toggleItem } from './toggle-item.ts'

interface PeoplePanelProps {
  /** Names to choose from. Selected names are offered even if this list lacks them. */
  readonly names: readonly string[]
  readonly selectedNames: readonly string[]
  readonly onChange: (selectedNames: string[]) => void
}

export function PeoplePanel({ names, selectedNames, onChange }: PeoplePanelProps) {
  return (
    <fieldset>
      <legend className="sr-only">People</legend>
      {[...new Set([...names, ...selectedNames])].map((name) => (
        <CheckRow
          key={name}
          checked={selectedNames.includes(name)}
          onChange={() => onChange(toggleItem(selectedNames, name))}
        >
          {name}
        </CheckRow>
      ))}
    </fieldset>
  )
}
