import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import {
  $cameraChecks,
  checkCamera,
  closeCheck,
  getTypedCamera,
  type TypedCamera,
} from '../../../stores/add-camera/camera-checks.ts'
import { $sealingKeyState, fetchSealingKey } from '../../../stores/add-camera/sealing-key.ts'
import { requestCameraDiscovery } from '../../../stores/add-camera/discovered-cameras.ts'
import { AddressForm } from './AddressForm.tsx'
import { BrandGuide } from './BrandGuide.tsx'
import { CheckCard } from './CheckCard.tsx'
import { EnrollmentCode } from './EnrollmentCode.tsx'
import { DiscoveredCameras, type DiscoveredChoice } from './DiscoveredCameras.tsx'
import { EncryptionNote } from './EncryptionNote.tsx'

/** Polling interval for the bridge's sealing key, ms. */
const SEALING_KEY_POLL_MS = 4000
const EMPTY_FORM: TypedCamera = { address: '', user: '', password: '' }

/**
 * Form for adding cameras by address or from the cameras found on the home's network. `isFirst`: the home has no camera
 * yet.
 */
export function AddCamera({ isFirst }: { isFirst: boolean }) {
  const sealingKey = useStore($sealingKeyState)
  const checks = useStore($cameraChecks)
  const [typed, setTyped] = useState(EMPTY_FORM)
  const [brand, setBrand] = useState('')
  const passwordRef = useRef<HTMLInputElement>(null)
  const isKeyAvailable = useSealingKey()
  useFoundBrand(setBrand)

  const focusField = (name: 'address' | 'user') =>
    passwordRef.current?.form?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus()
  function editAddress(address: string, isLoginRejected: boolean) {
    setTyped(getTypedCamera(address) ?? { ...EMPTY_FORM, address })
    if (isLoginRejected) passwordRef.current?.focus()
    else focusField('address')
  }
  function chooseCamera({ host, name, brand: foundBrand, needsLogin }: DiscoveredChoice) {
    const next = { ...typed, address: host }
    setTyped(next)
    if (foundBrand !== '') setBrand(foundBrand)
    if (needsLogin && typed.user === '') focusField('user')
    else void checkCamera({ ...next, brand: foundBrand || brand }, name)
  }
  function closeCard(address: string) {
    closeCheck(address)
    focusField('address')
  }

  const latest = checks[0]
  const failedSteps = latest?.state === 'bad' && latest.address === typed.address.trim() ? latest.steps : null
  const isLoginRejected = failedSteps?.signed_in.state === 'failed'
  const isUnreachable = failedSteps?.reachable.state === 'failed'
  const hasForm = sealingKey.state !== 'no_bridge'
  return (
    <div className="add-camera">
      <section
        className="add-form"
        {...(isFirst ? { 'aria-labelledby': 'add-camera-title' } : { 'aria-label': 'New camera' })}
      >
        {isFirst && <FirstCameraHeader />}
        {hasForm ? (
          <>
            <AddressForm
              typed={typed}
              setTyped={setTyped}
              brand={brand}
              setBrand={setBrand}
              isLoginRejected={isLoginRejected}
              isUnreachable={isUnreachable}
              passwordRef={passwordRef}
              isDisabled={!isKeyAvailable}
              wasChecked={checks.some(({ address }) => address === typed.address.trim())}
            />
            {isKeyAvailable && <DiscoveredCameras onChoose={chooseCamera} hasLogin={typed.user !== ''} />}
            <EncryptionNote />
          </>
        ) : (
          <EnrollmentCode />
        )}
      </section>
      <div className="add-results">
        <div className="add-checks" role="region" aria-label="Checked cameras">
          {checks.map((check) => (
            <CheckCard
              key={check.address}
              check={check}
              editAddress={(isRejected) => editAddress(check.address, isRejected)}
              close={() => closeCard(check.address)}
            />
          ))}
        </div>
        {hasForm && <BrandGuide brand={brand} setBrand={setBrand} />}
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
        <p>Enter the camera’s address or choose a camera we found.</p>
      </div>
    </header>
  )
}

/** Selects the brand that the latest checked camera has named, once per check. */
function useFoundBrand(setBrand: (brand: string) => void): void {
  const latest = useStore($cameraChecks)[0]
  const [run, brand] = [latest?.run, latest?.brand]
  useEffect(() => {
    if (brand) setBrand(brand)
  }, [run, brand, setBrand])
}

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
