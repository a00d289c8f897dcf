import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useId, useState, type ComponentProps, type FormEvent, type Ref } from 'react'
import { splitCredentials, type CameraCredentials } from '../../../domain/live/camera-credentials.ts'
import { checkCamera } from '../../../stores/add-camera/camera-checks.ts'

interface AddressFormProps {
  typed: CameraCredentials
  setTyped: (typed: CameraCredentials) => void
  isLoginRejected: boolean
  /** True while the page cannot encrypt the login for the bridge. */
  isDisabled: boolean
  /** True if this address has been checked before. The button then says "Check again". */
  wasChecked: boolean
  passwordRef: Ref<HTMLInputElement>
}

/** Prevents password managers from saving or filling in a camera's login as if it were the portal's. */
const NO_PASSWORD_MANAGER = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  'data-1p-ignore': true,
} as const

/**
 * Fields for the camera's address, user and password. If an entered address contains a login, the form moves user and
 * password into their own fields.
 */
export function AddressForm({
  typed,
  setTyped,
  isLoginRejected,
  isDisabled,
  wasChecked,
  passwordRef,
}: AddressFormProps) {
  const [address, user] = [useId(), useId()]
  function updateAddress(value: string) {
    const parts = splitCredentials(value)
    setTyped(parts ?? { ...typed, address: value })
  }
  function submitForm(event: FormEvent) {
    event.preventDefault()
    if (!isDisabled && typed.address.trim() !== '') void checkCamera(typed)
  }
  return (
    <form className="add-fields" onSubmit={submitForm} aria-label="Camera by its address">
      <label htmlFor={address}>Address of the camera</label>
      <div className="input add-address">
        <input
          {...NO_PASSWORD_MANAGER}
          id={address}
          inputMode="url"
          placeholder="rtsp://192.168.1.40:554/stream1"
          aria-describedby={`${address}-hint`}
          disabled={isDisabled}
          value={typed.address}
          onChange={({ target }) => updateAddress(target.value)}
        />
        <SubmitButton isDisabled={isDisabled} wasChecked={wasChecked} isEmpty={typed.address.trim() === ''} />
      </div>
      <div className="add-login">
        <div>
          <label htmlFor={user}>User</label>
          <div className="input">
            <input
              {...NO_PASSWORD_MANAGER}
              id={user}
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
      <p id={`${address}-hint`} className="text-small">
        It starts with rtsp:// and stands in the camera’s own app.{' '}
        <a className="link" href="/guides/cameras">
          Where do I find it?
        </a>
      </p>
    </form>
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
          aria-label="Show the password"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />}
        </button>
      </div>
    </>
  )
}

function SubmitButton({
  isDisabled,
  wasChecked,
  isEmpty,
}: {
  isDisabled: boolean
  wasChecked: boolean
  isEmpty: boolean
}) {
  return (
    <button type="submit" className="btn btn-soft" disabled={isDisabled} aria-disabled={isEmpty || undefined}>
      {wasChecked ? 'Check again' : 'Check'}
    </button>
  )
}
