import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { TypedCamera } from '../../../domain/live/camera-credentials.ts'
import { $checks, checkCamera, typedFor } from '../../../stores/add-camera/camera-checks.ts'
import { $door, fetchSealingKey } from '../../../stores/add-camera/sealing-key.ts'
import { requestCameraDiscovery } from '../../../stores/add-camera/discovered-cameras.ts'
import { AddressForm } from './AddressForm.tsx'
import { CheckCard } from './CheckCard.tsx'
import { EnrollmentCode } from './EnrollmentCode.tsx'
import { DiscoveredCameras } from './DiscoveredCameras.tsx'
import { SealNote } from './EncryptionNote.tsx'

/** Interval between checks if the home has a bridge by now, ms. */
const AGAIN_MS = 4000
const NOTHING: TypedCamera = { address: '', user: '', password: '' }

/**
 * Adds cameras by address, or from the list of cameras found on the home's network. `isFirst`: the home has no camera
 * yet.
 */
export function AddCamera({ isFirst }: { isFirst: boolean }) {
  const door = useStore($door)
  const checks = useStore($checks)
  const [typed, setTyped] = useState(NOTHING)
  const password = useRef<HTMLInputElement>(null)
  const isOpen = useDoor()

  function correct(address: string) {
    setTyped(typedFor(address) ?? { ...NOTHING, address })
    password.current?.focus()
  }
  function pick(address: string, name: string, asksForUser: boolean) {
    const next = { ...typed, address }
    setTyped(next)
    if (asksForUser || address === '') password.current?.form?.querySelector('input')?.focus()
    else void checkCamera(next, name)
  }

  const latest = checks[0]
  const isRefused = latest?.state === 'bad' && latest.address === typed.address && isLogin(latest.steps.signed_in.state)
  return (
    <div className="add-camera" data-checks={checks.length > 0}>
      <section
        className="add-form"
        {...(isFirst ? { 'aria-labelledby': 'add-camera-title' } : { 'aria-label': 'New camera' })}
      >
        {isFirst && <Lamp />}
        {door.state === 'no_bridge' ? (
          <EnrollmentCode />
        ) : (
          <>
            <AddressForm
              {...{ typed, setTyped, isRefused, passwordRef: password }}
              isOff={!isOpen}
              isAgain={checks.some(({ address }) => address === typed.address.trim())}
            />
            {isOpen && <DiscoveredCameras pick={pick} />}
            <SealNote />
          </>
        )}
      </section>
      <div className="add-results" role="region" aria-label="Checked cameras">
        {checks.map((check) => (
          <CheckCard key={check.address} check={check} correct={() => correct(check.address)} />
        ))}
      </div>
    </div>
  )
}

function Lamp() {
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

const isLogin = (state: string) => state === 'failed'

/** Polls for the bridge's sealing key, then starts network discovery. Returns true once the key is available. */
function useDoor(): boolean {
  const { state } = useStore($door)
  useEffect(() => {
    void fetchSealingKey()
  }, [])
  useEffect(() => {
    if (state === 'open') void requestCameraDiscovery()
    if (state !== 'no_bridge' && state !== 'bridge_off' && state !== 'no_answer') return
    const timer = setInterval(() => void (document.hidden || fetchSealingKey()), AGAIN_MS)
    return () => clearInterval(timer)
  }, [state])
  return state === 'open'
}
