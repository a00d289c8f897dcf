import { useStore } from '@nanostores/react'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { $openDialog, closeDialog } from '../../../stores/live/camera-dialog.ts'
import { saveCameraFilter } from '../../../stores/live/camera-filter.ts'
import { $liveCameras, $listed } from '../../../stores/live/live-page.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useAct } from '../../../ui/use-action.ts'

/** Camera filter of the page; saved to the account. */
export function FilterDialog() {
  const cameras = useStore($liveCameras)
  const [chosen, setChosen] = useState(() => $listed.get().map(({ device_id }) => device_id))
  const { isBusy, run } = useAct()
  const selected = cameras.map(({ device_id }) => device_id).filter((id) => chosen.includes(id))
  const isAll = selected.length === cameras.length

  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  async function save() {
    if (await run(() => saveCameraFilter(isAll ? [] : selected))) closeDialog()
  }

  return (
    <Dialog
      title="Filter cameras"
      note={<p>Your choice is saved to your account and applies in every browser.</p>}
      onClose={closeDialog}
    >
      <fieldset className="check-list">
        <legend className="sr-only">Cameras to show</legend>
        {cameras.map(({ device_id, nickname }) => (
          <label key={device_id}>
            <input type="checkbox" checked={chosen.includes(device_id)} onChange={() => toggle(device_id)} />
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
          {selected.length === 0 ? 'Choose at least one.' : `${selected.length} of ${cameras.length} chosen`}
        </small>
        <button
          type="button"
          className="btn btn-outline"
          onClick={() => setChosen(cameras.map(({ device_id }) => device_id))}
        >
          Choose all
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={selected.length === 0}
          aria-disabled={isBusy}
          onClick={() => void save()}
        >
          {isBusy ? 'Saving' : 'Save'}
        </button>
      </footer>
    </Dialog>
  )
}
