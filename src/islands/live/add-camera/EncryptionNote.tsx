import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import type { ReactNode } from 'react'
import { BRAND_NAME } from '../../../../contract/brand.ts'
import {
  $sealingKeyState,
  acceptFingerprint,
  fetchSealingKey,
  type SealingKeyState,
} from '../../../stores/add-camera/sealing-key.ts'

/** Note that says who can decrypt the camera's address and password, or why the page cannot send them. */
export function EncryptionNote() {
  const sealingKey = useStore($sealingKeyState)
  if (sealingKey.state === 'asking') return <EncryptionNoteCard title="Getting your hub’s encryption key…" />
  if (sealingKey.state === 'open')
    return (
      <EncryptionNoteCard tone="good" title="Encrypted for your hub" fingerprint={sealingKey.fingerprint}>
        Only the {BRAND_NAME} hub in your home can read the address and password. We can’t.
      </EncryptionNoteCard>
    )
  if (sealingKey.state === 'changed') return <FingerprintChangedNote {...sealingKey} />
  return (
    <EncryptionNoteCard
      tone={sealingKey.state === 'demo' ? undefined : 'bad'}
      title={UNAVAILABLE_TITLES[sealingKey.state] ?? 'You can’t add cameras right now'}
    >
      {unavailableText(sealingKey)}
    </EncryptionNoteCard>
  )
}

const UNAVAILABLE_TITLES: Partial<Record<SealingKeyState['state'], string>> = {
  demo: 'This is a shared demo',
  bridge_off: 'Your hub isn’t connected',
  no_answer: 'Your hub isn’t responding',
  insecure: 'This page isn’t encrypted',
}

function unavailableText(sealingKey: SealingKeyState): string {
  if (sealingKey.state === 'demo') return 'Create your own account to add cameras.'
  if (sealingKey.state === 'bridge_off')
    return `“${sealingKey.name}” is off or offline. This page updates when the hub is back online.`
  if (sealingKey.state === 'no_answer')
    return `“${sealingKey.name}” may be running an older version. Update the hub, then return to this page.`
  if (sealingKey.state === 'insecure')
    return `Browsers can’t encrypt a password without HTTPS. Open this page over HTTPS, or on the computer that runs ${BRAND_NAME}.`
  return sealingKey.state === 'failed' ? sealingKey.text : ''
}

function FingerprintChangedNote({ home, fingerprint }: { home: string; fingerprint: string }) {
  function acceptChange() {
    acceptFingerprint(home, fingerprint)
    void fetchSealingKey()
  }
  return (
    <EncryptionNoteCard tone="bad" title="Your hub’s fingerprint code has changed" fingerprint={fingerprint}>
      Nothing was sent. The code changes when a hub is set up again. Confirm only if your hub showed this code when it
      started.
      <span className="add-note-ways">
        <button type="button" className="btn btn-outline btn-sm" onClick={acceptChange}>
          Confirm the codes match
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
            {tone === 'good' && <span>Your hub shows the same code when it starts.</span>}
          </p>
        )}
      </div>
    </div>
  )
}
