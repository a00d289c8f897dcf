import { useStore } from '@nanostores/react'
import { $autoCover, chooseAutoCover } from '../../../stores/billing/license-manager.ts'
import { useAct } from '../../../ui/use-action.ts'

/** Setting: new cameras take an unused license automatically. Renders nothing until its value is known. */
export function NewCameras() {
  const on = useStore($autoCover)
  const { isBusy, run } = useAct()
  if (on === null) return null
  return (
    <label className="panel cover-switch">
      <span>
        <b>New cameras</b>
        <small>{on ? 'They take a free licence by themselves.' : 'They wait until you cover them here.'}</small>
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={on}
        aria-busy={isBusy || undefined}
        onChange={() => void run(() => chooseAutoCover(!on))}
      />
    </label>
  )
}
