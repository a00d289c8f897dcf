import { memo } from 'react'
import { ChoiceRow } from './CheckRow.tsx'

export interface CameraChoicesProps {
  readonly cameras: readonly { readonly device_id: string; readonly nickname: string }[]
  /** Ids of the selected cameras; empty means all. */
  readonly selectedIds: readonly string[]
  /** The same function in each render. */
  readonly onToggle: (deviceId: string) => void
}

export const CameraChoices = memo(function CameraChoices({ cameras, selectedIds, onToggle }: CameraChoicesProps) {
  return (
    <fieldset>
      <legend className="sr-only">Cameras</legend>
      {cameras.map(({ device_id, nickname }) => (
        <ChoiceRow
          key={device_id}
          id={device_id}
          name={nickname}
          isSelected={selectedIds.includes(device_id)}
          onToggle={onToggle}
        />
      ))}
      {cameras.length === 0 && <p className="text-small text-ink-2 px-2.5 py-2">No cameras to choose from.</p>}
    </fieldset>
  )
})
