import Share2 from 'lucide-react/icons/share-2'
import { useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { clipFileName } from '../../../domain/events/download-file-names.ts'
import { canShareClips, clipFile, shareFile } from '../../../stores/events/clip-share.ts'

const NOTES = {
  unable: 'This browser cannot hand files to other apps. Download the clip and send it from where it is saved.',
  failed: 'No app took the clip. Download it and send it from where it is saved.',
} as const

type Step = 'idle' | 'busy' | 'ready' | keyof typeof NOTES
const LABELS: Partial<Record<Step, string>> = { busy: 'Fetching', ready: 'Ready: share' }

/**
 * Shares the clip with another app through the system's share dialog. After a slow download, the browser requires a
 * second tap to open the dialog.
 */
export function ShareClip({ event, camera }: { event: Event; camera: string }) {
  const [step, setStep] = useState<Step>('idle')
  const [file, setFile] = useState<File | null>(null)

  async function hand(over: File, isTapped: boolean): Promise<void> {
    const end = await shareFile(over, event.title)
    // If the browser asks for a new tap immediately after a tap, it never opens the share dialog.
    if (end === 'late') return setStep(isTapped ? 'unable' : 'ready')
    setStep(end === 'failed' ? 'failed' : 'idle')
  }

  async function share(): Promise<void> {
    if (step === 'busy') return
    if (!canShareClips()) return setStep('unable')
    if (file) return hand(file, true)
    setStep('busy')
    const fetched = await clipFile(event.event_id, clipFileName(event, camera))
    if (!(fetched instanceof File)) return setStep('idle')
    setFile(fetched)
    await hand(fetched, false)
  }

  const note = step === 'unable' || step === 'failed' ? NOTES[step] : ''
  return (
    <>
      <button type="button" className="clip-action" aria-disabled={step === 'busy'} onClick={() => void share()}>
        {step === 'busy' ? <span className="spinner" /> : <Share2 size={18} aria-hidden />}
        <span aria-live="polite">{LABELS[step] ?? 'Share'}</span>
      </button>
      <p role="status" className="clip-note">
        {note}
      </p>
    </>
  )
}
