import Cctv from 'lucide-react/icons/cctv'
import { CheckRow, toggleItem } from './CheckRow.tsx'
import { FilterMenu } from './FilterMenu.tsx'

interface CameraFilterProps {
  readonly cameras: readonly { readonly device_id: string; readonly nickname: string }[]
  /** Ids of the selected cameras; empty means all. */
  readonly selectedIds: readonly string[]
  readonly onChange: (selectedIds: string[]) => void
}

export function CameraFilter(choice: CameraFilterProps) {
  const { cameras, selectedIds } = choice
  const names = cameras.filter(({ device_id }) => selectedIds.includes(device_id)).map(({ nickname }) => nickname)
  const label =
    selectedIds.length === 0 ? 'All cameras' : names.length === 1 ? (names[0] ?? '') : `${selectedIds.length} cameras`

  return (
    <FilterMenu name="cameras" label={label} Icon={Cctv} isActive={selectedIds.length > 0}>
      {() => <CameraChoices {...choice} />}
    </FilterMenu>
  )
}

export function CameraChoices({ cameras, selectedIds, onChange }: CameraFilterProps) {
  return (
    <fieldset>
      <legend className="sr-only">Cameras</legend>
      {cameras.map(({ device_id, nickname }) => (
        <CheckRow
          key={device_id}
          checked={selectedIds.includes(device_id)}
          onChange={() => onChange(toggleItem(selectedIds, device_id))}
        >
          {nickname}
        </CheckRow>
      ))}
      {cameras.length === 0 && <p className="text-small text-ink-2 px-2.5 py-2">No cameras to choose from.</p>}
    </fieldset>
  )
}
