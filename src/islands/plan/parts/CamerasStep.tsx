import { useStore } from '@nanostores/react'
import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useState } from 'react'
import { QUANTITY_MAX } from '../../../../contract/billing/money.ts'
import { OWNER } from '../../../../contract/auth/roles.ts'
import { inCameras } from '../../../domain/copy/counts.ts'
import {
  chooseCameras,
  chooseQuantity,
  endQuantity,
  type Checkout,
  typeQuantity,
} from '../../../stores/billing/checkout.ts'
import { $bindings, loadBindings } from '../../../stores/billing/license-assignments.ts'
import { $devices, type Device } from '../../../stores/home/devices.ts'
import { NumberedStep } from '../../../ui/Steps.tsx'
import { fieldId } from './missing-fields.ts'

/** Number of licenses, and the cameras that new ones cover first. None is preselected; they can be assigned later. */
export function CamerasStep({ number, checkout }: { number: number; checkout: Checkout }) {
  const devices = useStore($devices)
  const bindings = useStore($bindings)
  const { own, price } = checkout
  // A change at the end of the period covers nothing yet.
  const isLater = price.state === 'ready' && price.quote.is_later
  const cameras = 'devices' in devices ? devices.devices.filter(({ user_role }) => user_role === OWNER) : []
  const ids = cameras.map(({ mac }) => mac).join()
  useEffect(() => {
    if (ids !== '') void loadBindings(ids.split(','))
  }, [ids])
  const isTaken = ({ mac }: Device) =>
    own !== null && bindings.state === 'ready' && bindings.bindings.get(mac)?.bound_to === own.subscription_id
  const assignedCount = cameras.filter(isTaken).length
  return (
    <NumberedStep number={number} title="Cameras covered">
      <div id={fieldId('cameras')} className="plan-quantity">
        <Stepper
          quantity={checkout.form.quantity}
          isOff={checkout.form.trial}
          step={(quantity) => chooseQuantity(quantity, assignedCount)}
          end={() => endQuantity(assignedCount)}
        />
        <p>{quantityText(checkout, assignedCount, cameras.length, isLater)}</p>
      </div>
      {cameras.length > 0 && !isLater && (
        <fieldset className="camera-picks">
          <legend className="sr-only">Cameras that the new licences cover first</legend>
          {cameras.map((camera) => (
            <Pick key={camera.mac} {...{ camera, checkout, taken: assignedCount }} isTaken={isTaken(camera)} />
          ))}
        </fieldset>
      )}
    </NumberedStep>
  )
}

function quantityText({ form, own }: Checkout, assignedCount: number, all: number, isLater: boolean): string {
  const { quantity, cameras } = form
  const free = quantity - assignedCount
  const paid = own?.sku === 'cam-ai' && own.status !== 'trial' ? `You pay for ${own.quantity} now. ` : ''
  if (all === 0) return `${paid}Cameras are chosen once you have some; that costs nothing.`
  if (free < 0) return `${paid}${inCameras(-free)} of those covered now will have no plan when this starts.`
  if (isLater) return `${paid}Cameras are chosen once this has started.`
  const left = free - cameras.length
  if (left <= 0 || all <= assignedCount + cameras.length) return `${paid}You can swap cameras later at no cost.`
  const countText =
    left === 1 ? (cameras.length > 0 ? 'one more' : 'the one') : `up to ${left}${cameras.length > 0 ? ' more' : ''}`
  return `${paid}Tick ${countText} that it covers first. You can swap them later at no cost.`
}

interface StepperProps {
  quantity: number
  isOff: boolean
  step: (quantity: number) => void
  /** Called when the user has finished typing the number. */
  end: () => void
}

/** Number field for licenses. Each valid input applies immediately; anything else shows an error. */
function Stepper({ quantity, isOff, step, end }: StepperProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const fieldText = typed ?? String(quantity)
  const isBad = !/^\d+$/.test(fieldText) || Number(fieldText) < 1 || Number(fieldText) > QUANTITY_MAX
  const move = (by: number) => {
    setTyped(null)
    step(quantity + by)
  }
  const type = (text: string) => {
    setTyped(text)
    typeQuantity(/^\d+$/.test(text) ? Number(text) : NaN)
  }
  const leave = () => {
    if (isBad) return
    setTyped(null)
    end()
  }
  return (
    <div className="stepper-place">
      <div className="stepper" role="group" aria-label="Number of cameras" data-bad={isBad || undefined}>
        <button
          type="button"
          aria-label="One camera less"
          disabled={isOff || isBad || quantity <= 1}
          onClick={() => move(-1)}
        >
          <Minus size={18} aria-hidden="true" />
        </button>
        <input
          inputMode="numeric"
          autoComplete="off"
          aria-label="Cameras"
          aria-invalid={isBad || undefined}
          aria-describedby={isBad ? 'quantity-bad' : undefined}
          readOnly={isOff}
          value={fieldText}
          onChange={({ target }) => type(target.value.trim())}
          onBlur={leave}
        />
        <button
          type="button"
          aria-label="One camera more"
          disabled={isOff || isBad || quantity >= QUANTITY_MAX}
          onClick={() => move(1)}
        >
          <Plus size={18} aria-hidden="true" />
        </button>
      </div>
      {isBad && (
        <p id="quantity-bad" className="field-note" data-state="error" role="alert">
          Whole numbers from 1 to {QUANTITY_MAX}.
        </p>
      )}
    </div>
  )
}

interface PickProps {
  camera: Device
  checkout: Checkout
  taken: number
  isTaken: boolean
}

/**
 * Checkbox for one camera, with its last picture. If more cameras are chosen than there are licenses, a license is
 * added.
 */
function Pick({ camera, checkout, taken: assignedCount, isTaken }: PickProps) {
  const { cameras, quantity, trial } = checkout.form
  const { mac, nickname } = camera
  const isChosen = cameras.includes(mac)
  const isFull = assignedCount + cameras.length >= quantity
  function toggle() {
    if (isTaken || (trial && isFull && !isChosen)) return
    if (isChosen) return chooseCameras(cameras.filter((other) => other !== mac))
    if (isFull) chooseQuantity(quantity + 1, assignedCount)
    chooseCameras([...cameras, mac])
  }
  return (
    <label className="camera-pick" data-taken={isTaken || undefined}>
      <input
        type="checkbox"
        checked={isChosen || isTaken}
        aria-disabled={isTaken || undefined}
        aria-label={isTaken ? `${nickname}, covered already` : nickname}
        onChange={toggle}
      />
      <img src={`/m/last/${mac}`} alt="" onError={({ currentTarget }) => (currentTarget.hidden = true)} />
      <span>{nickname}</span>
      {isTaken && <small>Covered</small>}
    </label>
  )
}
