import { ChoiceRow } from './CheckRow.tsx'

interface PeoplePanelProps {
  /** Names to choose from. Selected names are offered even if this list lacks them. */
  readonly names: readonly string[]
  readonly selectedNames: readonly string[]
  /** The same function in each render. */
  readonly onToggle: (name: string) => void
}

export function PeoplePanel({ names, selectedNames, onToggle }: PeoplePanelProps) {
  return (
    <fieldset>
      <legend className="sr-only">People</legend>
      {[...new Set([...names, ...selectedNames])].map((name) => (
        <ChoiceRow key={name} id={name} name={name} isSelected={selectedNames.includes(name)} onToggle={onToggle} />
      ))}
    </fieldset>
  )
}
