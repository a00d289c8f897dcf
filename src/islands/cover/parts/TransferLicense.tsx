import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import { useId, useState } from 'react'
import { unassignedText } from '../../../domain/copy/licenses.ts'
import { transferCameraLicense } from '../../../stores/billing/license-cart.ts'
import type { ReadyLicenseManager } from '../../../stores/billing/license-manager.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { Button } from '../../../ui/Button.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'

interface TransferLicenseProps {
  cover: ReadyLicenseManager
  device: Device
  onTransferred: () => void
}

/** Transfers the license of another camera to this camera, after a confirmation that names what is lost. */
export function TransferLicense({ cover, device: { device_id, nickname }, onTransferred }: TransferLicenseProps) {
  const { isBusy, failure, run } = useAction()
  const [chosen, setChosen] = useState<string | null>(null)
  const id = useId()
  const bound = cover.cameras.filter(({ isBound }) => isBound).map(({ device }) => device)
  const [first] = bound
  if (!first) return null
  const from = bound.find((device) => device.device_id === chosen) ?? null
  if (!from)
    return (
      <button
        type="button"
        className="text-action"
        aria-label={`Move a license from another camera to ${nickname}`}
        onClick={() => setChosen(first.device_id)}
      >
        <ArrowLeftRight size={16} aria-hidden="true" />
        Move a license from another camera
      </button>
    )
  async function transfer(from: string) {
    const move = { from, to: device_id, now: Date.now() }
    if (await run(() => transferCameraLicense(cover.plan.subscription_id, move))) onTransferred()
  }
  return (
    <div className="cover-take" role="group" aria-label={`License for ${nickname}`}>
      <label htmlFor={id}>Move license from</label>
      <select
        id={id}
        className="input"
        value={from.device_id}
        autoFocus
        onChange={({ target }) => setChosen(target.value)}
      >
        {bound.map((device) => (
          <option key={device.device_id} value={device.device_id}>
            {device.nickname}
          </option>
        ))}
      </select>
      <p className="text-small text-ink-2">{unassignedText(from.nickname)} You won’t be charged.</p>
      <InlineError failure={failure} />
      <p className="cover-ways">
        <Button kind="soft" size="sm" isBusy={isBusy} onClick={() => void transfer(from.device_id)}>
          Move license to {nickname}
        </Button>
        <Button kind="plain" size="sm" onClick={() => setChosen(null)}>
          Cancel
        </Button>
      </p>
    </div>
  )
}
