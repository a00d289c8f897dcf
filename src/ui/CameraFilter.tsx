import Cctv from 'lucide-react/icons/cctv'
import { CheckRow, toggled } from './CheckRow.tsx'
import { FilterMenu } from './FilterMenu.tsx'

interface CameraChoice {
  readonly cameras: readonly { readonly device_id: string; readonly nickname: string }[]
  /** Ids of the selected cameras; empty means all. */
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
}

export function CameraFilter(choice: CameraChoice) {
  const { cameras, chosen } = choice
  const names = cameras.filter(({ device_id }) => chosen.includes(device_id)).map(({ nickname }) => nickname)
  const label = chosen.length === 0 ? 'All cameras' : names.length === 1 ? (names[0] ?? '') : `${chosen.length} cameras`

  return (
    <FilterMenu name="cameras" label={label} Icon={Cctv} isOn={chosen.length > 0}>
      {() => <CameraChoices {...choice} />}
    </FilterMenu>
  )
}

export function CameraChoices({ cameras, chosen, onChange }: CameraChoice) {
  return (
    <fieldset>
      <legend className="sr-only">Cameras</legend>
      {cameras.map(({ device_id, nickname }) => (
        <CheckRow
          key={device_id}
          checked={chosen.includes(device_id)}
          onChange={() => onChange(toggled(chosen, device_id))}
        >
          {nickname}
        </CheckRow>
      ))}
      {cameras.length === 0 && <p className="text-small text-ink-2 px-2.5 py-2">No cameras to choose from.</p>}
    </fieldset>
  )
}
