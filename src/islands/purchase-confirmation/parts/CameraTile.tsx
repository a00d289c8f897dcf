import Check from 'lucide-react/icons/check'
import { assignLicenseToCamera } from '../../../stores/billing/purchase-confirmation.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { Button } from '../../../ui/Button.tsx'
import { useAction } from '../../../ui/use-action.ts'

interface CameraTileProps {
  camera: Device
  /** True if the camera was not covered before the purchase. */
  isNew: boolean
  /** Id of a subscription with an unused license; null for none. */
  subscriptionId: string | null
}

/** Camera that shows whether a plan covers it, with a button that assigns an unused license. */
export function CameraTile({
  camera: { device_id, nickname, thumbnail_url, covered },
  isNew,
  subscriptionId,
}: CameraTileProps) {
  const { isBusy, run } = useAction()
  return (
    <li data-covered={covered}>
      {thumbnail_url === '' ? (
        <span className="bought-none" />
      ) : (
        <img src={`/m/last/${device_id}`} width="128" height="74" alt="" loading="lazy" decoding="async" />
      )}
      <b>{nickname}</b>
      {covered ? (
        <span className="bought-word">
          <Check size={16} aria-hidden="true" />
          {isNew ? 'Now covered' : 'Covered'}
        </span>
      ) : subscriptionId ? (
        <Button
          kind="soft"
          size="xs"
          isBusy={isBusy}
          aria-label={`Cover ${nickname}`}
          onClick={() => void run(() => assignLicenseToCamera(subscriptionId, device_id))}
        >
          Cover
        </Button>
      ) : (
        <span className="bought-word" data-free>
          1 day of clips
        </span>
      )}
    </li>
  )
}
