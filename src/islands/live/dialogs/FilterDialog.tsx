import { useStore } from '@nanostores/react'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { $openDialog, closeLiveDialog } from '../../../stores/live/camera-dialog.ts'
import { saveCameraFilter } from '../../../stores/live/camera-filter.ts'
import { $liveCameras, $listedCameras } from '../../../stores/live/live-page.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** Camera filter of the page; saved to the account. */
export function FilterDialog() {
  const cameras = useStore($liveCameras)
  const [chosenIds, setChosenIds] = useState(() => $listedCameras.get().map(({ device_id }) => device_id))
  const { isBusy, run } = useAction()
  const selectedIds = cameras.map(({ device_id }) => device_id).filter((id) => chosenIds.includes(id))
  const areAllSelected = selectedIds.length === cameras.length

  const toggle = (id: string) =>
    setChosenIds(chosenIds.includes(id) ? chosenIds.filter((other) => other !== id) : [...chosenIds, id])
  async function save() {
    if (await run(() => saveCameraFilter(areAllSelected ? [] : selectedIds))) closeLiveDialog()
  }

  return (
    <Dialog
      title="Filter cameras"
      note={<p>This filter is saved to your account and applies in all your browsers.</p>}
      onClose={closeLiveDialog}
    >
      <fieldset className="check-list">
        <legend className="sr-only">Cameras to show</legend>
        {cameras.map(({ device_id, nickname }) => (
          <label key={device_id}>
            <input type="checkbox" checked={chosenIds.includes(device_id)} onChange={() => toggle(device_id)} />
            {nickname}
          </label>
        ))}
      </fieldset>
      <button type="button" className="btn btn-soft btn-sm" onClick={() => $openDialog.set({ kind: 'add' })}>
        <Plus size={16} aria-hidden="true" />
        Add a camera
      </button>
      <footer>
        <small role="status">
          {selectedIds.length === 0
            ? 'Select at least one camera.'
            : `${selectedIds.length} of ${cameras.length} selected`}
        </small>
        <button
          type="button"
          className="btn btn-outline"
          onClick={() => setChosenIds(cameras.map(({ device_id }) => device_id))}
        >
          Select all
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={selectedIds.length === 0}
          aria-disabled={isBusy}
          onClick={() => void save()}
        >
          {isBusy ? 'Saving…' : 'Save'}
        </button>
      </footer>
    </Dialog>
  )
}
