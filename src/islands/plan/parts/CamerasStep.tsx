import { useStore } from '@nanostores/react'
import Lightbulb from 'lucide-react/icons/lightbulb'
import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useState } from 'react'
import { CURRENCY } from '../../../../contract/billing/amounts.ts'
import { QUANTITY_MAX } from '../../../../contract/billing/money.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import { formatCameraCount } from '../../../domain/copy/counts.ts'
import { getPlanPath, unlimitedSavingText } from '../../../domain/copy/plan-page.ts'
import {
  chooseCameras,
  chooseQuantity,
  finishTypingQuantity,
  type Checkout,
  typeQuantity,
} from '../../../stores/billing/checkout.ts'
import { $licenseAssignments, loadLicenseAssignments } from '../../../stores/billing/license-assignments.ts'
import { getChangeTerms } from '../../../stores/billing/price-quote.ts'
import { $currency } from '../../../stores/billing/currency.ts'
import { $catalog, getPlanPrice, isPlanOnSale } from '../../../stores/billing/plan-catalog.ts'
import { $devices, type Device } from '../../../stores/home/devices.ts'
import { NumberedStep } from '../../../ui/NumberedSteps.tsx'
import { getFieldId } from './missing-fields.ts'

interface CamerasStepProps {
  readonly number: number
  readonly checkout: Checkout
  /** True until the subscriptions have loaded. The step is inert until then. */
  readonly isWaiting?: boolean
}

/**
 * Step for the number of licenses, and for the cameras that new licenses cover first. Choosing cameras is optional,
 * because licenses can be assigned later.
 */
export function CamerasStep({ number, checkout, isWaiting = false }: CamerasStepProps) {
  const devices = useStore($devices)
  const bindings = useStore($licenseAssignments)
  const { own } = checkout
  // A change that starts at the end of the period covers no cameras yet.
  const startsLater = getChangeTerms(checkout)?.is_later ?? false
  const ownCameras = 'devices' in devices ? devices.devices.filter(({ user_role }) => user_role === OWNER_ROLE) : []
  // The waiting form keeps the skeleton, because a change that starts later hides the cameras.
  const isLoading = isWaiting || devices.state === 'loading'
  const cameras = isLoading ? [] : ownCameras
  const ids = ownCameras.map(({ mac }) => mac).join()
  useEffect(() => {
    if (ids !== '') void loadLicenseAssignments(ids.split(','))
  }, [ids])
  const isCovered = ({ mac }: Device) =>
    own !== null && bindings.state === 'ready' && bindings.bindings.get(mac)?.bound_to === own.subscription_id
  const assignedCount = cameras.filter(isCovered).length
  return (
    <NumberedStep number={number} title="Cameras covered" isInert={isWaiting}>
      <div id={getFieldId('cameras')} className="plan-quantity">
        <QuantityStepper
          quantity={checkout.form.quantity}
          isReadOnly={checkout.form.trial}
          onStep={(quantity) => chooseQuantity(quantity, assignedCount)}
          onTypingEnd={() => finishTypingQuantity(assignedCount)}
        />
        <p>{quantityText(checkout, assignedCount, cameras.length, startsLater)}</p>
      </div>
      {isLoading && !startsLater && <div className="camera-picks-empty skeleton" />}
      {!isLoading && devices.state === 'ready' && cameras.length === 0 && !startsLater && (
        <p className="camera-picks-empty">Your cameras will appear here</p>
      )}
      {cameras.length > 0 && !startsLater && (
        <fieldset className="camera-picks">
          <legend className="sr-only">Cameras to cover now</legend>
          {cameras.map((camera) => (
            <CameraCheckbox
              key={camera.mac}
              camera={camera}
              checkout={checkout}
              assignedCount={assignedCount}
              isCovered={isCovered(camera)}
            />
          ))}
        </fieldset>
      )}
      <UnlimitedAdvice checkout={checkout} />
    </NumberedStep>
  )
}

/** Advice to choose Unlimited, once the chosen number of licenses costs more. */
function UnlimitedAdvice({ checkout: { form } }: { checkout: Checkout }) {
  const catalog = useStore($catalog)
  const currency = useStore($currency, { ssr: () => CURRENCY })
  const { sku, period, quantity, trial } = form
  if (period === '' || trial || !isPlanOnSale(catalog, 'unlimited')) return null
  const prices = { license: getPlanPrice(catalog, sku)[period], unlimited: getPlanPrice(catalog, 'unlimited')[period] }
  const text = unlimitedSavingText(prices, quantity, period, currency)
  if (text === '') return null
  return (
    <p className="hint-strip plan-advice" role="status">
      <Lightbulb size={18} aria-hidden="true" />
      <span>
        {text}{' '}
        <a className="link" href={getPlanPath('unlimited', period)}>
          Choose {getPlan('unlimited').name}
        </a>
      </span>
    </p>
  )
}

function quantityText(
  { form, own }: Checkout,
  assignedCount: number,
  cameraCount: number,
  startsLater: boolean,
): string {
  const { quantity, cameras } = form
  const freeCount = quantity - assignedCount
  const currentPlanText =
    own?.sku === 'cam-ai' && own.status !== 'trial' ? `You currently pay for ${formatCameraCount(own.quantity)}. ` : ''
  if (cameraCount === 0)
    return `${currentPlanText}Choose cameras after you add them. You can switch cameras later for free.`
  if (freeCount < 0)
    return `${currentPlanText}${formatCameraCount(-freeCount)} will lose coverage when this change takes effect.`
  if (startsLater) return `${currentPlanText}Choose cameras after this change takes effect.`
  const remaining = freeCount - cameras.length
  if (remaining <= 0 || cameraCount <= assignedCount + cameras.length)
    return `${currentPlanText}You can switch cameras later for free.`
  const countText =
    cameras.length > 0 ? `${remaining} more` : remaining === 1 ? 'a camera' : `up to ${formatCameraCount(remaining)}`
  return `${currentPlanText}Choose ${countText} to cover now. You can switch later for free.`
}

interface QuantityStepperProps {
  quantity: number
  isReadOnly: boolean
  onStep: (quantity: number) => void
  onTypingEnd: () => void
}

function QuantityStepper({ quantity, isReadOnly, onStep, onTypingEnd }: QuantityStepperProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const fieldText = typed ?? String(quantity)
  const isInvalid = !/^\d+$/.test(fieldText) || Number(fieldText) < 1 || Number(fieldText) > QUANTITY_MAX
  const changeQuantity = (by: number) => {
    setTyped(null)
    onStep(quantity + by)
  }
  const applyText = (text: string) => {
    setTyped(text)
    typeQuantity(/^\d+$/.test(text) ? Number(text) : NaN)
  }
  const finishTyping = () => {
    if (isInvalid) return
    setTyped(null)
    onTypingEnd()
  }
  return (
    <div className="stepper-place">
      <div className="stepper" role="group" aria-label="Number of cameras" data-bad={isInvalid || undefined}>
        <button
          type="button"
          aria-label="Remove one camera"
          disabled={isReadOnly || isInvalid || quantity <= 1}
          onClick={() => changeQuantity(-1)}
        >
          <Minus size={18} aria-hidden="true" />
        </button>
        <input
          inputMode="numeric"
          autoComplete="off"
          aria-label="Cameras"
          aria-invalid={isInvalid || undefined}
          aria-describedby={isInvalid ? 'quantity-bad' : undefined}
          readOnly={isReadOnly}
          value={fieldText}
          onChange={({ target }) => applyText(target.value.trim())}
          onBlur={finishTyping}
        />
        <button
          type="button"
          aria-label="Add one camera"
          disabled={isReadOnly || isInvalid || quantity >= QUANTITY_MAX}
          onClick={() => changeQuantity(1)}
        >
          <Plus size={18} aria-hidden="true" />
        </button>
      </div>
      {isInvalid && (
        <p id="quantity-bad" className="field-note" data-state="error" role="alert">
          Enter a number from 1 to {QUANTITY_MAX}.
        </p>
      )}
    </div>
  )
}

interface CameraCheckboxProps {
  camera: Device
  checkout: Checkout
  assignedCount: number
  isCovered: boolean
}

/**
 * Checkbox for one camera, with its last picture. If every license already has a camera, choosing another camera adds
 * a license, except in a free trial.
 */
function CameraCheckbox({ camera, checkout, assignedCount, isCovered }: CameraCheckboxProps) {
  const { cameras, quantity, trial } = checkout.form
  const { mac, nickname } = camera
  const isChosen = cameras.includes(mac)
  const isFull = assignedCount + cameras.length >= quantity
  function toggle() {
    if (isCovered || (trial && isFull && !isChosen)) return
    if (isChosen) return chooseCameras(cameras.filter((other) => other !== mac))
    if (isFull) chooseQuantity(quantity + 1, assignedCount)
    chooseCameras([...cameras, mac])
  }
  return (
    <label className="camera-pick" data-taken={isCovered || undefined}>
      <input
        type="checkbox"
        checked={isChosen || isCovered}
        aria-disabled={isCovered || undefined}
        aria-label={isCovered ? `${nickname}, already covered` : nickname}
        onChange={toggle}
      />
      <img src={`/m/last/${mac}`} alt="" onError={({ currentTarget }) => (currentTarget.hidden = true)} />
      <span>{nickname}</span>
      {isCovered && <small>Covered</small>}
    </label>
  )
}
