import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { BRAND_NAME } from '../../../../contract/brand.ts'
import {
  $enrollmentCode,
  ENROLLMENT_CODE_LIFETIME_MS,
  requestEnrollmentCode,
} from '../../../stores/add-camera/enrollment-code.ts'

const RING_CIRCUMFERENCE = 2 * Math.PI * 26

/** First step for a home without a bridge: shows an enrollment code, which is valid for ten minutes. */
export function EnrollmentCode() {
  const code = useStore($enrollmentCode)
  useEffect(() => {
    if ($enrollmentCode.get().state === 'none') void requestEnrollmentCode()
  }, [])
  return (
    <div className="add-code" role="status">
      <h3>Set up your hub first</h3>
      <p>
        The hub is a program that connects your cameras to {BRAND_NAME}. Install the hub on a home computer that stays
        on, then use this code to connect the hub. This page updates once the hub connects.
      </p>
      {code.state === 'made' && <CreatedCode {...code} />}
      {code.state === 'failed' && (
        <p className="problem" role="alert">
          {code.text}
        </p>
      )}
      <div className="add-note-ways">
        <button
          type="button"
          className="btn btn-outline"
          aria-disabled={code.state === 'asking' || undefined}
          onClick={() => void (code.state === 'asking' || requestEnrollmentCode())}
        >
          Get new code
        </button>
        <a className="btn btn-soft" href="/guides/cameras">
          How to set up a hub
        </a>
      </div>
    </div>
  )
}

function CreatedCode({ code, madeAt }: { code: string; madeAt: number }) {
  const remainingMs = useRemainingMs(madeAt)
  const minutes = Math.floor(remainingMs / 60_000)
  const seconds = Math.floor((remainingMs % 60_000) / 1000)
  return (
    <div className="add-code-made" data-over={remainingMs === 0}>
      <svg viewBox="0 0 56 56" width="56" height="56" aria-hidden="true">
        <circle cx="28" cy="28" r="26" />
        <circle
          cx="28"
          cy="28"
          r="26"
          strokeDasharray={`${(remainingMs / ENROLLMENT_CODE_LIFETIME_MS) * RING_CIRCUMFERENCE} ${RING_CIRCUMFERENCE}`}
        />
      </svg>
      <div>
        <code>{code}</code>
        <small aria-live="off">
          {remainingMs === 0
            ? 'This code has expired. Get a new one.'
            : `Expires in ${minutes}:${String(seconds).padStart(2, '0')}`}
        </small>
      </div>
    </div>
  )
}

/** Returns the time for which a code created at `madeAt` remains valid, ms. */
function useRemainingMs(madeAt: number): number {
  const [now, setNow] = useState(madeAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.min(ENROLLMENT_CODE_LIFETIME_MS, madeAt + ENROLLMENT_CODE_LIFETIME_MS - now))
}
