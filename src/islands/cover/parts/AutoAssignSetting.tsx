import { useStore } from '@nanostores/react'
import { $isAutoAssignOn, setAutoAssign } from '../../../stores/billing/license-manager.ts'
import { useAction } from '../../../ui/use-action.ts'

/**
 * Switch that turns the automatic license assignment for new cameras on or off. Renders nothing until the value has
 * loaded.
 */
export function AutoAssignSetting() {
  const isOn = useStore($isAutoAssignOn)
  const { isBusy, run } = useAction()
  if (isOn === null) return null
  return (
    <label className="panel cover-switch">
      <span>
        <b>Assign licenses to new cameras automatically</b>
        <small>
          {isOn
            ? 'New cameras get an unused license, if you have one.'
            : 'New cameras stay on the free plan until you assign a license.'}
        </small>
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-busy={isBusy || undefined}
        onChange={() => void run(() => setAutoAssign(!isOn))}
      />
    </label>
  )
}
