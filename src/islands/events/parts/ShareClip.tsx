import Share2 from 'lucide-react/icons/share-2'
import { useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { clipFileName } from '../../../domain/events/download-file-names.ts'
import { canShareClips, fetchClipFile, shareFile } from '../../../stores/events/clip-share.ts'

const FAILURE_NOTES = {
  unable: 'Sharing isn’t supported in this browser. Download the clip and share the file.',
  failed: 'We couldn’t share the clip. Download it and share the file.',
} as const

type ShareStep = 'idle' | 'busy' | 'ready' | keyof typeof FAILURE_NOTES
const SHARE_STEP_LABELS: Partial<Record<ShareStep, string>> = { busy: 'Preparing…', ready: 'Share now' }

/**
 * Shares the clip with another app through the system's share dialog. After a slow download, the browser requires a
 * second tap to open the dialog.
 */
export function ShareClip({ event, camera }: { event: Event; camera: string }) {
  const [step, setStep] = useState<ShareStep>('idle')
  const [file, setFile] = useState<File | null>(null)

  async function openShareDialog(clip: File, isTapped: boolean): Promise<void> {
    const outcome = await shareFile(clip, event.title)
    // If the browser asks for a new tap immediately after a tap, it never opens the share dialog.
    if (outcome === 'late') return setStep(isTapped ? 'unable' : 'ready')
    setStep(outcome === 'failed' ? 'failed' : 'idle')
  }

  async function share(): Promise<void> {
    if (step === 'busy') return
    if (!canShareClips()) return setStep('unable')
    if (file) return openShareDialog(file, true)
    setStep('busy')
    const fetched = await fetchClipFile(event.event_id, clipFileName(event, camera))
    if (!(fetched instanceof File)) return setStep('idle')
    setFile(fetched)
    await openShareDialog(fetched, false)
  }

  const note = step === 'unable' || step === 'failed' ? FAILURE_NOTES[step] : ''
  return (
    <>
      <button type="button" className="clip-action" aria-disabled={step === 'busy'} onClick={() => void share()}>
        {step === 'busy' ? <span className="spinner" /> : <Share2 size={18} aria-hidden />}
        <span aria-live="polite">{SHARE_STEP_LABELS[step] ?? 'Share'}</span>
      </button>
      <p role="status" className="clip-note">
        {note}
      </p>
    </>
  )
}
