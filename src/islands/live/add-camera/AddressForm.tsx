import CircleAlert from 'lucide-react/icons/circle-alert'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useId, useRef, useState, type ComponentProps, type FocusEvent, type FormEvent, type Ref } from 'react'
import { INVALID_ADDRESS_TEXT, parseCameraAddress } from '../../../../contract/cameras/camera-address.ts'
import { splitCredentials, splitFinishedCredentials } from '../../../domain/live/camera-credentials.ts'
import { checkCamera, type TypedCamera } from '../../../stores/add-camera/camera-checks.ts'
import { BrandHint, BrandSelect } from './BrandSelect.tsx'
import { NO_PASSWORD_MANAGER } from './no-password-manager.ts'

interface AddressFormProps {
  typed: TypedCamera
  setTyped: (typed: TypedCamera) => void
  brand: string
  setBrand: (brand: string) => void
  isLoginRejected: boolean
  /** True if the hub could not reach a camera at this address. */
  isUnreachable: boolean
  /** True while the page cannot encrypt the login for the bridge. */
  isDisabled: boolean
  /** True if this address has been checked before. The button then says "Check again". */
  wasChecked: boolean
  passwordRef: Ref<HTMLInputElement>
}

/**
 * Fields for the camera's brand, address, username and password. If an entered address contains a login, the form moves
 * username and password into their own fields. An invalid address is not sent.
 */
export function AddressForm(props: AddressFormProps) {
  const { typed, setTyped, brand, setBrand, isLoginRejected, isUnreachable, isDisabled, wasChecked, passwordRef } =
    props
  const user = useId()
  const addressRef = useRef<HTMLInputElement>(null)
  const [isInvalid, setInvalid] = useState(false)
  function updateAddress(value: string) {
    setTyped({ ...typed, ...(splitCredentials(value) ?? { address: value }) })
    if (isInvalid) setInvalid(!isAddressValid(value))
  }
  /** Moves a login out of the address. Returns the camera, or null if the address is invalid. */
  function finishAddress(): TypedCamera | null {
    const next = { ...typed, ...splitFinishedCredentials(typed.address) }
    if (next.address !== typed.address) setTyped(next)
    const isValid = isAddressValid(next.address)
    setInvalid(!isValid && next.address.trim() !== '')
    return isValid ? next : null
  }
  function submitForm(event: FormEvent) {
    event.preventDefault()
    if (isDisabled) return
    const camera = finishAddress()
    if (camera) return void checkCamera({ ...camera, brand })
    setInvalid(true)
    addressRef.current?.focus()
  }
  return (
    <form className="add-fields" onSubmit={submitForm} aria-label="Add a camera by address" noValidate>
      <BrandSelect brand={brand} setBrand={setBrand} />
      <BrandHint brand={brand} />
      <AddressField
        ref={addressRef}
        isInvalid={isInvalid}
        isUnreachable={isUnreachable}
        isDisabled={isDisabled}
        wasChecked={wasChecked}
        value={typed.address}
        onChange={updateAddress}
        onLeave={finishAddress}
      />
      <div className="add-login">
        <div>
          <label htmlFor={user}>Username</label>
          <div className="input">
            <input
              {...NO_PASSWORD_MANAGER}
              id={user}
              name="user"
              disabled={isDisabled}
              value={typed.user}
              onChange={({ target }) => setTyped({ ...typed, user: target.value })}
            />
          </div>
        </div>
        <div>
          <PasswordField
            ref={passwordRef}
            isLoginRejected={isLoginRejected}
            disabled={isDisabled}
            value={typed.password}
            onChange={({ target }) => setTyped({ ...typed, password: target.value })}
          />
        </div>
      </div>
      <p className="text-small add-login-hint">Use the camera’s own login, not your app login.</p>
    </form>
  )
}

const isAddressValid = (address: string) =>
  parseCameraAddress((splitFinishedCredentials(address) ?? { address }).address) !== null

interface AddressFieldProps {
  ref: Ref<HTMLInputElement>
  isInvalid: boolean
  isUnreachable: boolean
  isDisabled: boolean
  wasChecked: boolean
  value: string
  onChange: (value: string) => void
  onLeave: () => void
}

function AddressField(props: AddressFieldProps) {
  const { ref, isInvalid, isDisabled, wasChecked, value, onChange, onLeave } = props
  const id = useId()
  const isFaulty = isInvalid || props.isUnreachable
  /** Submitting validates the address, so that the button does not move under the pointer. */
  function leave({ relatedTarget }: FocusEvent) {
    if (!(relatedTarget instanceof HTMLButtonElement && relatedTarget.type === 'submit')) onLeave()
  }
  return (
    <div className="add-address-field">
      <label htmlFor={id}>Camera address</label>
      <div className="input add-address" data-state={isFaulty ? 'error' : undefined}>
        <input
          {...NO_PASSWORD_MANAGER}
          ref={ref}
          id={id}
          name="address"
          inputMode="url"
          placeholder="192.168.1.20"
          aria-invalid={isFaulty || undefined}
          aria-describedby={isInvalid ? `${id}-error` : `${id}-hint`}
          disabled={isDisabled}
          value={value}
          onBlur={leave}
          onChange={({ target }) => onChange(target.value)}
        />
        <button
          type="submit"
          className="btn btn-soft"
          disabled={isDisabled}
          aria-disabled={value.trim() === '' || undefined}
        >
          {wasChecked ? 'Check again' : 'Check'}
        </button>
      </div>
      {isInvalid ? (
        <p id={`${id}-error`} className="add-field-error" role="alert">
          <CircleAlert size={16} aria-hidden="true" />
          {INVALID_ADDRESS_TEXT}
        </p>
      ) : (
        <p id={`${id}-hint`} className="text-small">
          The IP address is enough for most cameras.{' '}
          <a className="link" href="/guides/cameras">
            Where do I find it?
          </a>
        </p>
      )}
    </div>
  )
}

function PasswordField({ isLoginRejected, ...props }: ComponentProps<'input'> & { isLoginRejected: boolean }) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  return (
    <>
      <label htmlFor={id}>Password</label>
      <div className="input" data-state={isLoginRejected ? 'error' : undefined}>
        <input
          {...NO_PASSWORD_MANAGER}
          {...props}
          id={id}
          type={isShown ? 'text' : 'password'}
          aria-invalid={isLoginRejected || undefined}
        />
        <button
          type="button"
          className="icon-btn"
          aria-label="Show password"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />}
        </button>
      </div>
    </>
  )
}
