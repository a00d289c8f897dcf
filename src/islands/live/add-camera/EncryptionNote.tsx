import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import type { ReactNode } from 'react'
import {
  $sealingKeyState,
  acceptFingerprint,
  fetchSealingKey,
  type SealingKeyState,
} from '../../../stores/add-camera/sealing-key.ts'

/** Note that says who can decrypt the camera's address and password, or why the page cannot send them. */
export function EncryptionNote() {
  const sealingKey = useStore($sealingKeyState)
  if (sealingKey.state === 'asking') return <EncryptionNoteCard title="Asking your box for its key" />
  if (sealingKey.state === 'open')
    return (
      <EncryptionNoteCard tone="good" title="Sealed for the box in your home" fingerprint={sealingKey.fingerprint}>
        This page locks the address and password. Only your box, the program beside your cameras, can open them. We
        cannot.
      </EncryptionNoteCard>
    )
  if (sealingKey.state === 'changed') return <FingerprintChangedNote {...sealingKey} />
  return (
    <EncryptionNoteCard
      tone={sealingKey.state === 'demo' ? undefined : 'bad'}
      title={UNAVAILABLE_TITLES[sealingKey.state] ?? 'No camera can be added now'}
    >
      {unavailableText(sealingKey)}
    </EncryptionNoteCard>
  )
}

const UNAVAILABLE_TITLES: Partial<Record<SealingKeyState['state'], string>> = {
  demo: 'Cameras stay as they are here',
  bridge_off: 'Your box is not connected',
  no_answer: 'Your box does not answer',
  insecure: 'This page is not encrypted',
}

function unavailableText(sealingKey: SealingKeyState): string {
  if (sealingKey.state === 'demo')
    return 'Everybody can sign in to this demo account, so nobody can add a camera to it. Use an account of your own.'
  if (sealingKey.state === 'bridge_off')
    return `“${sealingKey.name}”, the program beside your cameras, is off or offline. This page continues as soon as it is back.`
  if (sealingKey.state === 'no_answer')
    return `“${sealingKey.name}” is connected, but of an older version. Update it, then come back.`
  if (sealingKey.state === 'insecure')
    return 'Without https no browser can seal a password. Open this page by https, or on the computer that it runs on.'
  return sealingKey.state === 'failed' ? sealingKey.text : ''
}

function FingerprintChangedNote({ home, fingerprint }: { home: string; fingerprint: string }) {
  function acceptChange() {
    acceptFingerprint(home, fingerprint)
    void fetchSealingKey()
  }
  return (
    <EncryptionNoteCard tone="bad" title="Your box shows another fingerprint" fingerprint={fingerprint}>
      Nothing was sent. Compare it with what your box said when it started. If both are the same, it was only set up
      anew.
      <span className="add-note-ways">
        <button type="button" className="btn btn-outline btn-sm" onClick={acceptChange}>
          Both are the same
        </button>
      </span>
    </EncryptionNoteCard>
  )
}

interface EncryptionNoteCardProps {
  tone?: 'good' | 'bad' | undefined
  title: string
  fingerprint?: string
  children?: ReactNode
}

function EncryptionNoteCard({ tone, title, fingerprint, children }: EncryptionNoteCardProps) {
  return (
    <div className="add-note" data-tone={tone} role="status">
      {tone === 'bad' ? <CircleAlert size={20} aria-hidden="true" /> : <LockKeyhole size={20} aria-hidden="true" />}
      <div>
        <b>{title}</b>
        {children && <p>{children}</p>}
        {fingerprint && (
          <p className="add-fingerprint">
            <Fingerprint size={18} aria-hidden="true" />
            <b>{fingerprint}</b>
            {tone === 'good' && <span>Your box shows the same when it starts.</span>}
          </p>
        )}
      </div>
    </div>
  )
}
