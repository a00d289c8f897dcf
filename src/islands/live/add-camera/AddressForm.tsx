import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useId, useState, type ComponentProps, type FormEvent, type Ref } from 'react'
import { takenApart, type TypedCamera } from '../../../domain/live/camera-credentials.ts'
import { checkCamera } from '../../../stores/add-camera/camera-checks.ts'

interface AddressFormProps {
  typed: TypedCamera
  setTyped: (typed: TypedCamera) => void
  /** True if the camera rejected this login. */
  isRefused: boolean
  /** True while the page cannot encrypt the login for the bridge. */
  isOff: boolean
  /** True if this address has been checked before, so that the button offers to check it again. */
  isAgain: boolean
  passwordRef: Ref<HTMLInputElement>
}

/** Prevents password managers from saving or filling in a camera's login as if it were the portal's. */
const UNKEPT = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, 'data-1p-ignore': true } as const

/**
 * Fields for the camera's address, user and password. If the pasted address contains a login, it is split into the
 * fields.
 */
export function AddressForm({ typed, setTyped, isRefused, isOff, isAgain, passwordRef }: AddressFormProps) {
  const [address, user] = [useId(), useId()]
  function updateAddress(value: string) {
    const parts = takenApart(value)
    setTyped(parts ?? { ...typed, address: value })
  }
  function send(event: FormEvent) {
    event.preventDefault()
    if (!isOff && typed.address.trim() !== '') void checkCamera(typed)
  }
  return (
    <form className="add-fields" onSubmit={send} aria-label="Camera by its address">
      <label htmlFor={address}>Address of the camera</label>
      <div className="input add-address">
        <input
          {...UNKEPT}
          id={address}
          inputMode="url"
          placeholder="rtsp://192.168.1.40:554/stream1"
          aria-describedby={`${address}-hint`}
          disabled={isOff}
          value={typed.address}
          onChange={({ target }) => updateAddress(target.value)}
        />
        <Submit {...{ isOff, isAgain }} isEmpty={typed.address.trim() === ''} />
      </div>
      <div className="add-login">
        <div>
          <label htmlFor={user}>User</label>
          <div className="input">
            <input
              {...UNKEPT}
              id={user}
              disabled={isOff}
              value={typed.user}
              onChange={({ target }) => setTyped({ ...typed, user: target.value })}
            />
          </div>
        </div>
        <div>
          <Password
            ref={passwordRef}
            isRefused={isRefused}
            disabled={isOff}
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

function Password({ isRefused, ...props }: ComponentProps<'input'> & { isRefused: boolean }) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  return (
    <>
      <label htmlFor={id}>Password</label>
      <div className="input" data-state={isRefused ? 'error' : undefined}>
        <input
          {...UNKEPT}
          {...props}
          id={id}
          type={isShown ? 'text' : 'password'}
          aria-invalid={isRefused || undefined}
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

function Submit({ isOff, isAgain, isEmpty }: { isOff: boolean; isAgain: boolean; isEmpty: boolean }) {
  return (
    <button type="submit" className="btn btn-soft" disabled={isOff} aria-disabled={isEmpty || undefined}>
      {isAgain ? 'Check again' : 'Check'}
    </button>
  )
}
