import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import type { CameraInvitation } from '../../../stores/live/camera-shares.ts'

/** Link with which a person without an account creates one, as text and as QR code. */
export function InvitationLink({ invitation: { email, url, qr } }: { invitation: CameraInvitation }) {
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null)
  const copy = async () => {
    const result = await navigator.clipboard.writeText(url).then(
      () => 'yes' as const,
      () => 'no' as const,
    )
    setCopied(result)
  }
  return (
    <section className="invitation" aria-label={`Invitation for ${email}`}>
      <svg viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label="QR code for the invitation link">
        <path d={qr.path} />
      </svg>
      <div>
        <h3>Invite {email}</h3>
        <p className="text-small">
          If they don’t have an account, they can create one with this link. The link works once and expires in 7 days.
        </p>
        <code>{url}</code>
        <button type="button" className="btn btn-sm btn-outline" onClick={() => void copy()}>
          <Copy size={16} aria-hidden="true" />
          <span aria-live="polite">
            {copied === 'yes' ? 'Copied' : copied === 'no' ? 'Couldn’t copy. Select the link above.' : 'Copy link'}
          </span>
        </button>
      </div>
    </section>
  )
}
