import { memo } from 'react'
import { CheckRow } from './CheckRow.tsx'
import { toggleItem } from './toggle-item.ts'

export interface CameraChoicesProps {
  readonly cameras: readonly { readonly device_id: string; readonly nickname: string }[]
  /** Ids of the selected cameras; empty means all. */
  readonly selectedIds: readonly string[]
  readonly onChange: (selectedIds: string[]) => void
}

export const CameraChoices = memo(function CameraChoices({ cameras, selectedIds, onChange }: CameraChoicesProps) {
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
})
