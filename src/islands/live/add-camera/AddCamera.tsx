import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { CameraCredentials } from '../../../domain/live/camera-credentials.ts'
import { $cameraChecks, checkCamera, getTypedCamera } from '../../../stores/add-camera/camera-checks.ts'
import { $sealingKeyState, fetchSealingKey } from '../../../stores/add-camera/sealing-key.ts'
import { requestCameraDiscovery } from '../../../stores/add-camera/discovered-cameras.ts'
import { AddressForm } from './AddressForm.tsx'
import { CheckCard } from './CheckCard.tsx'
import { EnrollmentCode } from './EnrollmentCode.tsx'
import { DiscoveredCameras } from './DiscoveredCameras.tsx'
import { EncryptionNote } from './EncryptionNote.tsx'

/** Polling interval for the bridge's sealing key, ms. */
const SEALING_KEY_POLL_MS = 4000
const EMPTY_FORM: CameraCredentials = { address: '', user: '', password: '' }

/**
 * Form for adding cameras by address or from the cameras found on the home's network. `isFirst`: the home has no camera
 * yet.
 */
export function AddCamera({ isFirst }: { isFirst: boolean }) {
  const sealingKey = useStore($sealingKeyState)
  const checks = useStore($cameraChecks)
  const [typed, setTyped] = useState(EMPTY_FORM)
  const passwordRef = useRef<HTMLInputElement>(null)
  const isKeyAvailable = useSealingKey()

  function editAddress(address: string) {
    setTyped(getTypedCamera(address) ?? { ...EMPTY_FORM, address })
    passwordRef.current?.focus()
  }
  function chooseCamera(address: string, name: string, asksForUser: boolean) {
    const next = { ...typed, address }
    setTyped(next)
    if (asksForUser || address === '') passwordRef.current?.form?.querySelector('input')?.focus()
    else void checkCamera(next, name)
  }

  const latest = checks[0]
  const isLoginRejected =
    latest?.state === 'bad' && latest.address === typed.address && isLoginFailed(latest.steps.signed_in.state)
  return (
    <div className="add-camera" data-checks={checks.length > 0}>
      <section
        className="add-form"
        {...(isFirst ? { 'aria-labelledby': 'add-camera-title' } : { 'aria-label': 'New camera' })}
      >
        {isFirst && <FirstCameraHeader />}
        {sealingKey.state === 'no_bridge' ? (
          <EnrollmentCode />
        ) : (
          <>
            <AddressForm
              typed={typed}
              setTyped={setTyped}
              isLoginRejected={isLoginRejected}
              passwordRef={passwordRef}
              isDisabled={!isKeyAvailable}
              wasChecked={checks.some(({ address }) => address === typed.address.trim())}
            />
            {isKeyAvailable && <DiscoveredCameras onChoose={chooseCamera} />}
            <EncryptionNote />
          </>
        )}
      </section>
      <div className="add-results" role="region" aria-label="Checked cameras">
        {checks.map((check) => (
          <CheckCard key={check.address} check={check} editAddress={() => editAddress(check.address)} />
        ))}
      </div>
    </div>
  )
}

function FirstCameraHeader() {
  return (
    <header>
      <span className="glow" aria-hidden="true">
        <svg width="44" height="44" viewBox="0 0 32 32">
          <use href="#porch-logo" />
        </svg>
      </span>
      <div>
        <h2 id="add-camera-title">Add your first camera</h2>
        <p>Type its address, or pick one that we found. The picture comes within ten seconds.</p>
      </div>
    </header>
  )
}

const isLoginFailed = (state: string) => state === 'failed'

/**
 * Fetches the bridge's sealing key, and repeats the request while the home has no bridge, or its bridge is offline or
 * does not respond. Starts network discovery when the key is available; returns true while it is available.
 */
function useSealingKey(): boolean {
  const { state } = useStore($sealingKeyState)
  useEffect(() => {
    void fetchSealingKey()
  }, [])
  useEffect(() => {
    if (state === 'open') void requestCameraDiscovery()
    if (state !== 'no_bridge' && state !== 'bridge_off' && state !== 'no_answer') return
    const timer = setInterval(() => void (document.hidden || fetchSealingKey()), SEALING_KEY_POLL_MS)
    return () => clearInterval(timer)
  }, [state])
  return state === 'open'
}
